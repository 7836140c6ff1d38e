import { DEFAULT_MAILS, isNoticeOn, type NoticeKind } from "../../access/mail-settings.js";
import type { Commit, Committed } from "../../commit/commit.js";
import type { AuditEntry } from "../../events/event.js";
import { type Actor, actorLabel } from "../../kernel/actor.js";
import { type Instant, MINUTE_MS, SECOND_MS } from "../../kernel/clock.js";
import { emailAddress } from "../../kernel/fields.js";
import { readEvidence } from "../accepted-revision.js";
import type { Budget } from "../budget.js";
import type { BudgetCommit, MailWrite } from "../budget-commits.js";
import type { BudgetContext, Seller } from "../budget-context.js";
import type { EventDraft } from "../budget-event.js";
import { hasLinkOf, isToCustomer, MAIL_LANGUAGES, MAILS_READ, type Mail, mailEntryOf } from "../mail.js";
import { customersOf } from "../references/summaries.js";
import { isSent } from "../revision.js";
import { admitsNotice } from "./recipient-limit.js";

/** What one side is told of an act of the other one. */
export interface Notice {
  readonly kind: NoticeKind;
  readonly message: string | null; // in the words of who acted; null = none
}

/** A mail to commit with the change that causes it. */
export interface QueuedMail {
  readonly mail: Mail;
  readonly audit: AuditEntry;
}

/** The notices of a change. The customer is told of their own acceptance, and of what the business changes. */
export function noticesOf(
  before: Budget,
  after: Budget,
  actor: Actor,
  events: readonly EventDraft[],
): readonly Notice[] {
  if (actor.kind !== "customer") {
    const { status, acceptance, revision, revised } = after;
    const isNew = revision > before.revision || (isSent(before, after) && revision > 1);
    return isNew && status === "PENDING" && acceptance === null && revised.asked
      ? [{ kind: "customer.newVersion", message: null }]
      : [];
  }
  const message = events.find(({ reason }) => reason !== null)?.reason ?? null;
  if (hasAccepted(before, after)) {
    return [
      { kind: "customer.accepted", message: null },
      { kind: "seller.accepted", message },
    ];
  }
  if (after.status === "REJECTED" && before.status !== "REJECTED") return [{ kind: "seller.declined", message }];
  return events.some(({ type }) => type === "budget.change_requested") ? [{ kind: "seller.asked", message }] : [];
}

function hasAccepted(before: Budget, after: Budget): boolean {
  if (before.acceptance !== null) return false;
  return after.acceptance !== null || (after.status === "APPROVED" && before.status !== "APPROVED");
}

/** Acts that follow one another become one mail: it shows all of them when it is sent. */
const PAUSE_MS = 3 * MINUTE_MS;
const GATHERED: ReadonlySet<NoticeKind> = new Set(["customer.newVersion", "customer.message", "seller.asked"] as const);
/** A queued mail that is sent sooner may not show an act that is not committed yet. */
const MARGIN_MS = 30 * SECOND_MS;

/** The mails of notices, for the commit of the change. Never rejects: without them the change is still made. */
export async function mailsOf(
  context: BudgetContext,
  budget: Budget,
  actor: Actor,
  notices: readonly Notice[],
  now: Instant,
): Promise<readonly QueuedMail[]> {
  const { mailing } = context;
  if (mailing === null || notices.length === 0) return [];
  try {
    const seller = await context.findBusiness(budget.businessId);
    if (seller === null) return [];
    const wanted = notices.filter(({ kind }) => isNoticeOn(seller.profile.mails ?? DEFAULT_MAILS, kind));
    const queued: QueuedMail[] = [];
    for (const notice of wanted) {
      const mail = await mailOf(context, seller, budget, actor, notice, now);
      if (mail !== null) queued.push({ mail, audit: await mailEntryOf(context.ids, actor, mail) });
    }
    return queued;
  } catch (error) {
    mailing.onError(error);
    return [];
  }
}

/** The commit with mails beside what it writes. */
export function withMails<W, C>(commit: Commit<W, C>, queued: readonly QueuedMail[]): Commit<W | MailWrite, C> {
  if (queued.length === 0) return commit;
  const writes = queued.map(({ mail }) => ({ kind: "mail", mail }) as const);
  return {
    ...commit,
    writes: [...commit.writes, ...writes],
    audit: [...commit.audit, ...queued.map(({ audit }) => audit)],
  };
}

/** A change whose mails exceed the quota is made without them. */
export async function commitTelling(
  context: BudgetContext,
  commit: BudgetCommit,
  mails: readonly QueuedMail[],
  claimed: Parameters<BudgetContext["commit"]>[1],
): Promise<Committed> {
  const committed = await context.commit(withMails(commit, mails), claimed);
  if (mails.length === 0) return committed;
  if (committed.kind === "refused" && committed.by === "quota-exceeded") return context.commit(commit, claimed);
  context.mailing?.wake();
  return committed;
}

/** Null = nobody to tell, or an earlier mail that is still queued tells it. */
async function mailOf(
  context: BudgetContext,
  seller: Seller,
  budget: Budget,
  actor: Actor,
  { kind, message }: Notice,
  now: Instant,
): Promise<Mail | null> {
  const { businessId, id: budgetId, publicTokenHash } = budget;
  const isForCustomer = kind.startsWith("customer.");
  if (isForCustomer && publicTokenHash === null) return null;
  const { entries } = await context.store.listMails(businessId, budgetId, MAILS_READ, 0);
  const tells = (each: Mail) => each.kind === kind && isStillQueued(each, now) && hasLinkOf(each, budget);
  if (GATHERED.has(kind) && entries.some(tells)) return null;
  const recipient = isForCustomer
    ? await customerRecipient(context, budget, kind, entries)
    : await sellerRecipient(context, seller, budget);
  if (recipient === null || !(await admitsNotice(context, budget, kind, recipient.to, now))) return null;
  return {
    businessId,
    budgetId,
    id: await context.ids.next(businessId),
    kind,
    status: "queued",
    ...recipient,
    message,
    ...(actor.kind === "customer" && !isForCustomer ? { actedBy: actorLabel(actor) } : {}),
    ...(isForCustomer && publicTokenHash !== null ? { linkHash: publicTokenHash } : {}),
    attempts: 0,
    dueAt: GATHERED.has(kind) ? now + PAUSE_MS : now,
    createdAt: now,
    createdBy: actorLabel(actor),
    sentAt: null,
    error: null,
  };
}

function isStillQueued({ status, attempts, dueAt }: Mail, now: Instant): boolean {
  return status === "queued" && attempts === 0 && dueAt !== null && dueAt - now > MARGIN_MS;
}

type Recipient = Pick<Mail, "to" | "lang">;

/**
 * Who got the last mail of the budget, else the customer of the catalog. Nobody after a mail with a link that was
 * replaced, until a person sends the new one. A new version is told to those who were mailed the offer or opened it, and
 * not while its own mail is still queued, which shows it.
 */
async function customerRecipient(
  context: BudgetContext,
  budget: Budget,
  kind: NoticeKind,
  mails: readonly Mail[],
): Promise<Recipient | null> {
  const isNewVersion = kind === "customer.newVersion";
  const last = mails.find((mail) => mail.kind === "budget" && mail.status !== "cancelled" && hasLinkOf(mail, budget));
  if (last !== undefined) {
    return isNewVersion && last.status === "queued" && last.attempts === 0 ? null : { to: last.to, lang: last.lang };
  }
  if (mails.some((mail) => isToCustomer(mail) && !hasLinkOf(mail, budget))) return null;
  if (isNewVersion && (await context.store.listLinkViews(budget.businessId, budget.id)).length === 0) return null;
  const { customers } = await customersOf(context, budget.businessId, [budget]);
  const recipient = recipientOf(customers.get(budget.customerId)?.email);
  return recipient === null ? null : { ...recipient, lang: languageOf(budget) };
}

/** The language in which the customer has accepted on the page; null = not known. */
function languageOf({ evidence }: Budget): Recipient["lang"] {
  const language = evidence === undefined ? null : readEvidence(evidence).language;
  return MAIL_LANGUAGES.find((each) => each === language) ?? null;
}

/** The user who created the budget, if they may still log in, else the business. */
async function sellerRecipient(
  { mailing }: BudgetContext,
  { profile }: Seller,
  { businessId, createdBy }: Budget,
): Promise<Recipient | null> {
  const userId = createdBy.startsWith(USER) ? createdBy.slice(USER.length) : null;
  const own = userId === null ? null : ((await mailing?.findUserEmail(businessId, userId)) ?? null);
  return recipientOf(own) ?? recipientOf(profile.email);
}

const USER = "user:";

function recipientOf(email: string | null | undefined): Recipient | null {
  const parsed = emailAddress.safeParse(email);
  return parsed.success ? { to: parsed.data, lang: null } : null;
}
