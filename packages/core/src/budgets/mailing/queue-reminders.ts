import type { Actor } from "../../kernel/actor.js";
import { DAY_MS, type Instant, MINUTE_MS } from "../../kernel/clock.js";
import { hourDaysBefore } from "../../kernel/dates.js";
import type { Budget } from "../budget.js";
import type { BudgetContext, Seller } from "../budget-context.js";
import { hasLinkOf, type Mail, mailEntryOf, type ReminderCheck } from "../mail.js";
import { asOf } from "../overdue.js";

const CHECKS_PER_STEP = 100;
const LEASE_MS = 5 * MINUTE_MS;
/** The local time at which reminders are due. */
const HOUR = 9;
/** A change of the budget or of the business's settings takes effect within this time. */
const RECHECK_MS = DAY_MS;
/** How long a budget without an end is checked: it may get one. */
const ENDLESS_MS = 30 * DAY_MS;
/** Mails in which the last one of a caller is looked for. */
const MAILS_READ = 20;

/** What a check decides: when to check again (null = never), and the reminder, in days before the end. */
export interface ReminderDecision {
  readonly nextCheckAt: Instant | null;
  readonly due: readonly number[]; // the reminders that one mail covers; empty = no mail
}

interface ReminderState {
  readonly validUntil: Instant | null;
  readonly reminderDays: readonly number[];
  readonly timeZone: string;
  readonly mailedAt: Instant; // reminders whose time was before are not sent
  readonly done: readonly number[];
}

/** Reminders are due at nine o'clock, on the calendar day of the business that is so many days before the last day. */
export function decideReminder(state: ReminderState, now: Instant): ReminderDecision {
  const { validUntil, reminderDays, timeZone, mailedAt, done } = state;
  const recheckAt = now + RECHECK_MS;
  if (validUntil === null) return { nextCheckAt: now - mailedAt > ENDLESS_MS ? null : recheckAt, due: [] };
  const moments = reminderDays
    .map((days) => ({ days, at: hourDaysBefore(validUntil, days, HOUR, timeZone) }))
    .filter(({ days, at }) => at > mailedAt && !done.includes(days));
  const due = moments.filter(({ at }) => at <= now).map(({ days }) => days);
  const later = moments.filter(({ at }) => at > now).map(({ at }) => at);
  return { nextCheckAt: Math.min(recheckAt, ...later), due };
}

/** Checks the mailed budgets whose check is due, and queues their reminders. A check that fails stops no other. */
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
    if (checks.length < CHECKS_PER_STEP) return;
  }
}

async function settleCheck(context: BudgetContext, check: ReminderCheck, now: Instant): Promise<void> {
  const { store } = context;
  const { businessId, budgetId } = check;
  const stored = await store.findBudget(businessId, budgetId);
  const budget = stored === null ? null : asOf(stored, now);
  const seller = await context.findBusiness(businessId);
  const mail = await findLastMail(context, businessId, budgetId);
  const isAwaited = budget !== null && mail !== null && hasLinkOf(mail, budget) && isUnanswered(budget);
  if (seller === null || !isAwaited) {
    await store.settleReminderCheck(check, "remove", null);
    return;
  }
  const { validUntil } = budget;
  const done = check.validUntil === validUntil ? check.days : [];
  const decision = decideReminder(stateOf(budget, seller, mail, done), now);
  // Without reminders now, the customer may still want later ones.
  const isDue = decision.due.length > 0 && (await wantsReminders(context, budget));
  const reminder = isDue ? await newReminder(context, mail, now) : null;
  const system: Actor = { kind: "system", businessId };
  const audit = reminder === null ? null : await mailEntryOf(context.ids, system, reminder);
  const { nextCheckAt } = decision;
  if (nextCheckAt === null) await store.settleReminderCheck(check, "remove", reminder, audit);
  else {
    const next = { ...check, dueAt: nextCheckAt, validUntil, days: [...done, ...decision.due] };
    await store.settleReminderCheck(next, "replace", reminder, audit);
  }
}

function stateOf(budget: Budget, { profile, timeZone }: Seller, mail: Mail, done: readonly number[]): ReminderState {
  const { validUntil } = budget;
  return { validUntil, timeZone, reminderDays: profile.reminderDays ?? [], mailedAt: mail.createdAt, done };
}

/** A customer who has answered, or wants no reminders, gets none. */
export async function mayRemind(context: BudgetContext, budget: Budget): Promise<boolean> {
  return isUnanswered(budget) && wantsReminders(context, budget);
}

function isUnanswered({ status, acceptance, deletion }: Budget): boolean {
  return status === "PENDING" && acceptance === null && deletion === null;
}

async function wantsReminders({ store }: BudgetContext, { businessId, customerId }: Budget): Promise<boolean> {
  return (await store.findReminderOptOut(businessId, customerId)) === null;
}

/** The last mail that a caller has sent, or is about to; its recipient and language are those of the reminders. */
async function findLastMail({ store }: BudgetContext, businessId: string, budgetId: string): Promise<Mail | null> {
  const { entries } = await store.listMails(businessId, budgetId, MAILS_READ, 0);
  return entries.find(({ kind, status }) => kind === "budget" && (status === "sent" || status === "queued")) ?? null;
}

async function newReminder({ ids }: BudgetContext, last: Mail, now: Instant): Promise<Mail> {
  return {
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
}
