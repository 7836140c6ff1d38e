import type { Actor } from "../../kernel/actor.js";
import { DAY_MS, type Instant, MINUTE_MS } from "../../kernel/clock.js";
import { hourDaysBefore } from "../../kernel/dates.js";
import type { Budget } from "../budget.js";
import type { BudgetContext, Seller } from "../budget-context.js";
import { hasLinkOf, MAILS_READ, type Mail, mailEntryOf, type ReminderCheck } from "../mail.js";
import { mailsOf, type QueuedMail } from "../notices/notices.js";
import { admitsMailTo } from "../notices/recipient-limit.js";
import { asOf } from "../overdue.js";

const CHECKS_PER_STEP = 100;
const LEASE_MS = 5 * MINUTE_MS;
/** The local time at which reminders are due. */
const HOUR = 9;
/** A change of the budget or of the business's settings takes effect within this time. */
const RECHECK_MS = DAY_MS;
/** How long a budget without an end is checked: it may get one. */
const ENDLESS_MS = 30 * DAY_MS;

/** What a check decides: when to check again (null = never), and the reminder, in days before the end. */
export interface ReminderDecision {
  readonly nextCheckAt: Instant | null;
  readonly due: readonly number[]; // the reminders that one mail covers; empty = no mail
}

interface ReminderState {
  readonly validUntil: Instant | null;
  readonly reminderDays: readonly number[];
  readonly timeZone: string;
  readonly offeredAt: Instant; // reminders whose time was before are not sent
  readonly done: readonly number[];
}

/** Reminders are due at nine o'clock, on the calendar day of the business that is so many days before the last day. */
export function decideReminder(state: ReminderState, now: Instant): ReminderDecision {
  const { validUntil, reminderDays, timeZone, offeredAt, done } = state;
  const recheckAt = now + RECHECK_MS;
  if (validUntil === null) return { nextCheckAt: now - offeredAt > ENDLESS_MS ? null : recheckAt, due: [] };
  const moments = reminderDays
    .map((days) => ({ days, at: hourDaysBefore(validUntil, days, HOUR, timeZone) }))
    .filter(({ days, at }) => at > offeredAt && !done.includes(days));
  const due = moments.filter(({ at }) => at <= now).map(({ days }) => days);
  const later = moments.filter(({ at }) => at > now).map(({ at }) => at);
  return { nextCheckAt: Math.min(recheckAt, ...later), due };
}

/** Checks the offered budgets whose check is due, and queues their reminders. A check that fails stops no other. */
export async function queueReminders(
  context: BudgetContext,
  isActive: () => boolean,
  onError: (error: unknown) => void,
): Promise<void> {
  const { store, clock } = context;
  while (isActive()) {
    const now = clock.now();
    const checks = await store.claimReminderChecks(now, now + LEASE_MS, CHECKS_PER_STEP);
    for (const check of checks) await settleCheck(context, check, now).catch(onError);
    if (checks.length === 0) return;
  }
}

async function settleCheck(context: BudgetContext, check: ReminderCheck, now: Instant): Promise<void> {
  const { store } = context;
  const { businessId, budgetId } = check;
  const stored = await store.findBudget(businessId, budgetId);
  const budget = stored === null ? null : asOf(stored, now);
  const seller = await context.findBusiness(businessId);
  const last = await findLastMail(context, businessId, budgetId);
  const mail = last !== null && budget !== null && hasLinkOf(last, budget) ? last : null;
  const isOffered = mail !== null || (budget !== null && budget.publicTokenHash !== null);
  if (seller === null || budget === null || !isOffered || !isUnanswered(budget)) {
    await store.settleReminderCheck(check, "remove", null);
    return;
  }
  const { validUntil } = budget;
  const done = check.validUntil === validUntil ? check.days : [];
  const offeredAt = Math.max(check.since ?? 0, last?.createdAt ?? budget.createdAt);
  const decision = decideReminder(stateOf(budget, seller, offeredAt, done), now);
  const telling = tellingOf(budget, seller, offeredAt, check, now);
  const reminder = decision.due.length > 0 && mail !== null ? await remindBy(context, budget, mail, now) : null;
  const isTold = reminder === null && telling.isDue;
  const [told = null] = isTold ? await mailsOf(context, budget, systemOf(budget), [EXPIRING], now) : [];
  const queued = reminder ?? told;
  if (decision.nextCheckAt === null) {
    await store.settleReminderCheck(check, "remove", queued?.mail ?? null, queued?.audit);
    return;
  }
  // One settlement queues one mail: the next check finds what is left.
  const isLeft = reminder !== null && telling.isDue;
  const next: ReminderCheck = {
    ...check,
    dueAt: isLeft ? now : Math.min(decision.nextCheckAt, telling.nextAt),
    validUntil,
    days: [...done, ...decision.due],
    ...(isTold && validUntil !== null ? { sellerTold: validUntil } : {}),
  };
  await store.settleReminderCheck(next, "replace", queued?.mail ?? null, queued?.audit);
}

const EXPIRING = { kind: "seller.expiring", message: null } as const;
/** Days before the end of the validity at which the business is told that no answer has come. */
const TELLING_DAYS = 2;

/** Whether the business is to be told of the end now, and otherwise when. */
function tellingOf(
  { validUntil }: Budget,
  { timeZone }: Seller,
  offeredAt: Instant,
  { sellerTold }: ReminderCheck,
  now: Instant,
): { readonly isDue: boolean; readonly nextAt: Instant } {
  const never = { isDue: false, nextAt: Number.POSITIVE_INFINITY };
  if (validUntil === null || sellerTold === validUntil) return never;
  const at = hourDaysBefore(validUntil, TELLING_DAYS, HOUR, timeZone);
  if (at <= offeredAt) return never;
  return at <= now ? { ...never, isDue: true } : { isDue: false, nextAt: at };
}

function systemOf({ businessId }: Pick<Budget, "businessId">): Actor {
  return { kind: "system", businessId };
}

function stateOf(
  { validUntil }: Budget,
  { profile, timeZone }: Seller,
  offeredAt: Instant,
  done: readonly number[],
): ReminderState {
  return { validUntil, timeZone, reminderDays: profile.reminderDays ?? [], offeredAt, done };
}

/** Without reminders now, the customer may still want later ones. Null = none. */
async function remindBy(context: BudgetContext, budget: Budget, last: Mail, now: Instant): Promise<QueuedMail | null> {
  if (!(await wantsReminders(context, budget))) return null;
  return (await admitsMailTo(context, last.businessId, last.to, now)) ? reminderOf(context, last, now) : null;
}

/** A customer who has answered, or wants no reminders, gets none. */
export async function mayRemind(context: BudgetContext, budget: Budget): Promise<boolean> {
  return isUnanswered(budget) && wantsReminders(context, budget);
}

export function isUnanswered({ status, acceptance, deletion }: Budget): boolean {
  return status === "PENDING" && acceptance === null && deletion === null;
}

export async function wantsReminders({ store }: BudgetContext, { businessId, customerId }: Budget): Promise<boolean> {
  return (await store.findReminderOptOut(businessId, customerId)) === null;
}

/** The last mail that a caller has sent, or is about to; its recipient and language are those of the reminders. */
async function findLastMail({ store }: BudgetContext, businessId: string, budgetId: string): Promise<Mail | null> {
  const { entries } = await store.listMails(businessId, budgetId, MAILS_READ, 0);
  return entries.find(({ kind, status }) => kind === "budget" && (status === "sent" || status === "queued")) ?? null;
}

async function reminderOf({ ids }: BudgetContext, last: Mail, now: Instant): Promise<QueuedMail> {
  const mail: Mail = {
    ...last,
    id: await ids.next(last.businessId),
    kind: "reminder",
    status: "queued",
    message: null,
    attempts: 0,
    dueAt: now,
    createdAt: now,
    createdBy: "system",
    sentAt: null,
    error: null,
  };
  return { mail, audit: await mailEntryOf(ids, systemOf(mail), mail) };
}
