import { z } from "zod";
import type { NoticeKind } from "../access/mail-settings.js";
import { makeAuditEntry } from "../events/audit-entry.js";
import type { AuditEntry } from "../events/event.js";
import type { Actor } from "../kernel/actor.js";
import { type Instant, MINUTE_MS, timestampOrNull, toTimestamp } from "../kernel/clock.js";
import { paginationSchema, timestampView } from "../kernel/fields.js";
import type { IdSource } from "../kernel/ids.js";
import type { Budget } from "./budget.js";
import { shownReason } from "./mail-failure.js";

/** Of the acts that are told to the customer and to the seller: named as their settings. */
const NOTICE_KINDS = [
  "customer.accepted",
  "customer.newVersion",
  "customer.message",
  "seller.viewed",
  "seller.accepted",
  "seller.declined",
  "seller.asked",
  "seller.expiring",
  "seller.endpointDisabled",
] as const satisfies readonly NoticeKind[];
const MAIL_KINDS = ["budget", "reminder", ...NOTICE_KINDS] as const;
const MAIL_STATUSES = ["queued", "sent", "failed", "cancelled"] as const;
/** The languages of mails and of the customer's page. */
export const MAIL_LANGUAGES = ["en", "es", "pt", "de", "fr", "it", "nl", "ja", "ar", "he"] as const;

/** How long the mailer may take. A lease is longer, so that no other process sends the mail meanwhile. */
export const MAIL_DEADLINE_MS = MINUTE_MS;
export const MAIL_LEASE_MS = 3 * MINUTE_MS;

/** A mail about a budget. Its text is made when it is sent, so that it shows the budget as it is then. */
export interface Mail {
  readonly businessId: string;
  readonly budgetId: string; // of `seller.endpointDisabled`: the id of the endpoint, which no budget has
  readonly id: string;
  readonly kind: (typeof MAIL_KINDS)[number];
  readonly status: (typeof MAIL_STATUSES)[number];
  readonly to: string;
  readonly lang: (typeof MAIL_LANGUAGES)[number] | null; // null = that of the business
  readonly message: string | null; // in the words of the side that acted; of an endpoint its address; null = none
  readonly actedBy?: string; // whose act the business is told, an actor's label; absent = no act of the customer
  readonly linkHash?: string; // of the link that it was queued with, which alone it may name; absent = any
  readonly attempts: number; // with the running one; the fencing token of a claim
  readonly dueAt: Instant | null; // the next attempt, or the end of the running attempt's lease; null = finished
  readonly createdAt: Instant;
  readonly createdBy: string; // an actor's label
  readonly sentAt: Instant | null; // when the mail server accepted it; null = it has not
  readonly error: string | null; // of the last attempt that failed, or why it was cancelled
}

/**
 * False = the link was replaced or ended since the mail was queued, possibly because its recipient should not have it: the
 * new one is for those whom a person sends it.
 */
export function hasLinkOf({ linkHash }: Mail, { publicTokenHash }: Pick<Budget, "publicTokenHash">): boolean {
  return linkHash === undefined || linkHash === publicTokenHash;
}

/** Whether reminders of its budget may follow a mail. */
export function startsCheck({ kind }: Pick<Mail, "kind">): boolean {
  return kind === "budget";
}

/** Mails of a budget, newest first, in which a rule looks for an earlier one. */
export const MAILS_READ = 100;

export function isToCustomer({ kind }: Mail): boolean {
  return !kind.startsWith("seller.");
}

/** When to see whether an offered budget needs a reminder. Only budgets whose customer may still answer have one. */
export interface ReminderCheck {
  readonly businessId: string;
  readonly budgetId: string;
  readonly dueAt: Instant; // the next check, or the end of the running one's lease
  readonly claims: number; // the fencing token
  readonly validUntil: Instant | null; // of the budget at the last reminder; null = none was queued
  readonly days: readonly number[]; // the reminders before this validUntil that were queued
  readonly sellerTold?: Instant; // the validUntil of which the business was told; absent = none
  readonly since?: Instant; // when it was offered by its link: nothing before is due; absent = by a mail
}

export const mailViewSchema = z
  .object({
    /** Assigned by the service. */
    id: z.string(),
    /** Id of the budget. */
    budgetId: z.string(),
    /** Sent by a caller, a reminder before the end of the validity, or about an act of one of the sides. */
    kind: z
      .enum(MAIL_KINDS)
      .describe(
        "`budget` was sent by a caller; `reminder` by time, before the end of the validity; the others by an act, to the side that they name.",
      ),
    /** The recipient. */
    to: z.string(),
    /** The language; null = that of the business. */
    lang: z.enum(MAIL_LANGUAGES).nullable(),
    /** The text of the sender, or of the side that acted; null = none. */
    message: z.string().nullable(),
    /** Where it stands. */
    status: z
      .enum(MAIL_STATUSES)
      .describe(
        "`cancelled`: the budget no longer waits for an answer, its link was replaced, or a later mail has the same.",
      ),
    /** Attempts so far, at most 6. */
    attempts: z.int(),
    /** When it is tried next; null = never. */
    nextAttemptAt: timestampView.nullable(),
    /** When the mail server accepted it; null = it has not. */
    sentAt: timestampView.nullable(),
    /** Why the last attempt failed, or why the mail was cancelled; null = neither. */
    error: z.string().nullable(),
    /** ISO 8601, in UTC. */
    createdAt: timestampView,
    /** Who created it: `user:7`, `key:12` or `system`. */
    createdBy: z.string(),
    /** Of a mail that was just queued: characters of the budget that its PDF cannot show; absent = it shows all. */
    undrawable: z
      .array(z.string())
      .optional()
      .describe("Of a mail that was just queued: characters that its PDF cannot show; absent = it shows all."),
  })
  .meta({ id: "Mail" });
export type MailView = z.infer<typeof mailViewSchema>;

export const mailListSchema = z.object({
  /** Since when the customer wants no reminders; absent = reminders come. Only the customer can undo it. */
  remindersOffSince: timestampView
    .optional()
    .describe("Since when the customer wants no reminders; absent = reminders come. Only the customer can undo it."),
  /** The entries of this page. */
  data: z.array(mailViewSchema),
  /** Which page this is, and how many there are. */
  pagination: paginationSchema,
});
export type MailList = z.infer<typeof mailListSchema>;

export function mailViewOf(mail: Mail): MailView {
  const { id, budgetId, kind, to, lang, message, status, attempts, dueAt, sentAt, error, createdAt, createdBy } = mail;
  return {
    id,
    budgetId,
    kind,
    to,
    lang,
    message,
    status,
    attempts,
    nextAttemptAt: timestampOrNull(dueAt),
    sentAt: timestampOrNull(sentAt),
    error: shownReason(error),
    createdAt: toTimestamp(createdAt),
    createdBy,
  };
}

/** The audit entry of a mail that is queued. */
export function mailEntryOf(ids: IdSource, actor: Actor, mail: Mail): Promise<AuditEntry> {
  const { id: subjectId, createdAt: now, budgetId, kind, to } = mail;
  const change = { from: null, to: mail.status };
  return makeAuditEntry(ids, actor, { type: "mail.queued", subjectId, now, change, data: { budgetId, kind, to } });
}
