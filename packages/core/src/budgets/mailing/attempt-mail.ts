import type { Mailer, MailMessage } from "../../access/mailer.js";
import { HOUR_MS, type Instant, MINUTE_MS } from "../../kernel/clock.js";
import type { BudgetContext } from "../budget-context.js";
import { isToCustomer, MAIL_DEADLINE_MS, MAIL_LEASE_MS, type Mail } from "../mail.js";
import {
  HELD_UP,
  type MailFailure,
  mailFailureOf,
  NO_OUTCOME,
  NOT_WAITING,
  OwnMailError,
  tooSlow,
} from "../mail-failure.js";
import { type MailFacts, mailFactsOf } from "./mail-facts.js";

/** The waits after each failed attempt; a mail has one more attempt than waits. */
const WAITS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 12 * HOUR_MS];
const MAX_ATTEMPTS = WAITS_MS.length + 1;

export type MailText = Pick<MailMessage, "subject" | "text" | "html">;

export interface MailAttemptContext {
  readonly budgets: BudgetContext;
  readonly sendMessage: NonNullable<Mailer["sendMessage"]>;
  /** Writes a mail. Reads no store. */
  readonly write: (facts: MailFacts, attachments: MailMessage["attachments"], now: Instant) => Promise<MailText>;
  /** The files of a mail. */
  readonly attach: (facts: MailFacts) => Promise<MailMessage["attachments"]>;
  readonly deadlineMs: number;
  /** Receives the error of each failed attempt; the mail has a reason without the mailer's words. */
  readonly onError: (error: unknown) => void;
}

/**
 * Sends a claimed mail and settles it. When the process ends after the mail server has accepted the mail and before the
 * settlement, the mail is sent again when its lease ends, with the same Message-ID. `claimedMs` is the monotonic time of
 * the claim: a process that was paused so long that its lease may end before the mailer's deadline does not send.
 */
export async function attemptMail(
  context: MailAttemptContext,
  mail: Mail,
  claimedMs = context.budgets.clock.monotonicMs(),
): Promise<void> {
  const { budgets } = context;
  const { store, clock } = budgets;
  if (mail.attempts > MAX_ATTEMPTS) {
    await store.settleMail({ ...mail, status: "failed", dueAt: null, error: mail.error ?? NO_OUTCOME });
    return;
  }
  const facts = await mailFactsOf(budgets, mail, clock.now());
  if (facts === null) {
    await store.settleMail({ ...mail, status: "cancelled", dueAt: null, error: NOT_WAITING });
    return;
  }
  const failure = await failureOf(context, () => deliver(context, facts, claimedMs));
  await store.settleMail(failure === null ? sentAt(mail, clock.now()) : failedAt(mail, failure, clock.now()));
}

async function deliver(context: MailAttemptContext, facts: MailFacts, claimedMs: number): Promise<void> {
  const { mail, business, unsubscribeUrl } = facts;
  const { budgets, deadlineMs } = context;
  const attachments = await context.attach(facts);
  const text = await context.write(facts, attachments, budgets.clock.now());
  if (budgets.clock.monotonicMs() - claimedMs > MAIL_LEASE_MS - MAIL_DEADLINE_MS) {
    throw new OwnMailError(HELD_UP);
  }
  await withDeadline(deadlineMs, (signal) =>
    context.sendMessage({
      kind: mail.kind,
      businessId: mail.businessId,
      budgetId: mail.budgetId,
      to: mail.to,
      fromName: business.name === null ? null : inOneLine(business.name),
      replyTo: isToCustomer(mail) ? business.email : (facts.customer?.email ?? null),
      messageId: messageIdOf(budgets, mail),
      ...text,
      attachments,
      headers: unsubscribeUrl === null ? {} : unsubscribing(unsubscribeUrl),
      signal,
    }),
  );
}

/** Only reminders can be ended. Source: RFC 8058. */
function unsubscribing(url: string): Readonly<Record<string, string>> {
  return { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}

/** The same for every attempt, so that receivers recognise a repeated mail. Source: RFC 5322, section 3.6.4. */
function messageIdOf({ publicBaseUrl }: BudgetContext, { businessId, id }: Mail): string {
  return `<budgetkit.${businessId}.${id}@${new URL(publicBaseUrl).hostname}>`;
}

/** Rejects at the deadline, also when the mailer ignores the signal. */
async function withDeadline(deadlineMs: number, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new OwnMailError(tooSlow(deadlineMs));
      controller.abort(error);
      reject(error);
    }, deadlineMs);
  });
  try {
    await Promise.race([run(controller.signal), deadline]);
  } finally {
    clearTimeout(timer);
  }
}

async function failureOf(context: MailAttemptContext, run: () => Promise<void>): Promise<MailFailure | null> {
  try {
    await run();
    return null;
  } catch (error) {
    context.onError(error);
    return mailFailureOf(error);
  }
}

function sentAt(mail: Mail, now: Instant): Mail {
  return { ...mail, status: "sent", dueAt: null, sentAt: now, error: null };
}

function failedAt(mail: Mail, { reason, isPermanent }: MailFailure, now: Instant): Mail {
  const waitMs = isPermanent ? undefined : WAITS_MS[mail.attempts - 1];
  if (waitMs === undefined) return { ...mail, status: "failed", dueAt: null, error: reason };
  return { ...mail, dueAt: now + waitMs, error: reason };
}

/** A text for one line, such as a header: line ends, control characters and marks of direction become spaces. */
export function inOneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu, " ").trim();
}
