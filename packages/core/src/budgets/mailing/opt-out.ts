import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { makeAuditEntry } from "../../events/record-audit.js";
import type { Actor } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import { notFound, type Problem } from "../../kernel/problem.js";
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
  return setReminders(context, token, "off", now);
}

/** Lets the reminders come again: only the customer can. Errors: not-found as above. */
export async function resumeReminders(
  context: BudgetContext,
  token: string,
  now: Instant = context.clock.now(),
): Promise<Result<RemindersView, Problem>> {
  return setReminders(context, token, "on", now);
}

async function setReminders(
  context: BudgetContext,
  token: string,
  wish: "on" | "off",
  now: Instant,
): Promise<Result<RemindersView, Problem>> {
  const budget = await findMailedBudget(context, token);
  if (budget === null) return err(notFound("publicLink", ""));
  const { businessId, customerId } = budget;
  const customer: Actor = { kind: "customer", businessId, name: "customer" };
  const type = wish === "on" ? "reminders.resumed" : "reminders.stopped";
  const act = { type, subjectId: customerId, now, data: { budgetId: budget.id } } as const;
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
