import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { makeAuditEntry } from "../../events/record-audit.js";
import type { Actor } from "../../kernel/actor.js";
import { HOUR_MS, type Instant } from "../../kernel/clock.js";
import { notFound, type Problem, TOO_MANY_REQUESTS } from "../../kernel/problem.js";
import type { RateLimitStore } from "../../limits/rate-limit-store.js";
import { refusalOf } from "../../limits/rate-limiter.js";
import type { Budget } from "../budget.js";
import type { BudgetContext } from "../budget-context.js";
import { publicTokenHash } from "../sharing/public-token.js";

export const remindersViewSchema = z
  .object({
    /** True: the customer gets no reminders of this business. */
    remindersOff: z.boolean().describe("True: the customer gets no reminders of this business."),
    /** The name of the business; null = unknown. */
    business: z.string().nullable(),
    /** The language tag of the business; null = not given. */
    locale: z.string().nullable(),
    /** The color of the business; null = not given. */
    accentColor: z.string().nullable(),
  })
  .meta({ id: "Reminders" });
export type RemindersView = z.infer<typeof remindersViewSchema>;

/** Whether the customer behind a link gets reminders. Errors: not-found for an unknown or replaced token. */
export async function readReminders(context: BudgetContext, token: string): Promise<Result<RemindersView, Problem>> {
  const budget = await findMailedBudget(context, token);
  if (budget === null) return err(notFound("publicLink", ""));
  const { businessId, customerId } = budget;
  const since = await context.store.findReminderOptOut(businessId, customerId);
  return ok(await viewOf(context, businessId, since !== null));
}

/** Ends the reminders of the business to the customer behind a link. Errors: not-found as above. */
export async function stopReminders(
  context: BudgetContext,
  token: string,
  now: Instant = context.clock.now(),
): Promise<Result<RemindersView, Problem>> {
  const budget = await findMailedBudget(context, token);
  return budget === null ? err(notFound("publicLink", "")) : setReminders(context, budget, "off", now);
}

/** Each change leaves an entry in the ledger, and everyone who has the link can make one. Ending is never refused. */
const RESUMPTIONS = { lengthMs: HOUR_MS, limit: 10 };

/**
 * Lets the reminders come again: only the customer can. With `limits`, at most ten times an hour for each customer.
 * Errors: not-found as above; rate-limited.
 */
export async function resumeReminders(
  context: BudgetContext,
  token: string,
  limits: RateLimitStore | null = null,
  now: Instant = context.clock.now(),
): Promise<Result<RemindersView, Problem>> {
  const budget = await findMailedBudget(context, token);
  if (budget === null) return err(notFound("publicLink", ""));
  const subject = `reminders:${budget.businessId}:${budget.customerId}`;
  const refusal =
    limits === null ? null : refusalOf(await limits.consume(subject, [RESUMPTIONS], now), [RESUMPTIONS], now);
  if (refusal === null) return setReminders(context, budget, "on", now);
  const { limit, resetAt: resetAtMs } = refusal;
  return err({ kind: "rate-limited", message: TOO_MANY_REQUESTS, limit, remaining: 0, resetAtMs });
}

async function setReminders(
  context: BudgetContext,
  { id: budgetId, businessId, customerId }: Budget,
  wish: "on" | "off",
  now: Instant,
): Promise<Result<RemindersView, Problem>> {
  const customer: Actor = { kind: "customer", businessId, name: "customer" };
  const type = wish === "on" ? "reminders.resumed" : "reminders.stopped";
  const act = { type, subjectId: customerId, now, data: { budgetId } } as const;
  const audit = await makeAuditEntry(context.ids, customer, act);
  await context.store.setReminderOptOut(businessId, customerId, wish === "on" ? null : now, audit);
  return ok(await viewOf(context, businessId, wish === "off"));
}

/** Also a deleted budget or a draft: its mails are in the customer's mailbox. */
async function findMailedBudget({ store }: BudgetContext, token: string): Promise<Budget | null> {
  const hash = publicTokenHash(token);
  return hash === null ? null : store.findBudgetByPublicToken(hash);
}

async function viewOf(context: BudgetContext, businessId: string, remindersOff: boolean): Promise<RemindersView> {
  const seller = await context.findBusiness(businessId);
  const { locale = null, accentColor = null } = seller?.profile ?? {};
  return { remindersOff, business: seller?.name ?? null, locale, accentColor };
}
