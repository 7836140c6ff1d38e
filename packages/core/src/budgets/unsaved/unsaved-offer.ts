import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { type Actor, refuseWithoutScope } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import { hostId, SIZES } from "../../kernel/fields.js";
import { numberIn } from "../../kernel/number-pattern.js";
import { notFound, type Problem } from "../../kernel/problem.js";
import type { Budget } from "../budget.js";
import type { BudgetContext } from "../budget-context.js";
import { checkBudgetSize } from "../budget-size.js";
import { checkCreation, previewBudgetSchema, withOneLookUp } from "../create-budget.js";
import { prepareSending } from "../first-sending.js";
import { planCustomer } from "../inline-customer.js";
import { unsavedLineSchema } from "../line-input.js";
import type { Mail } from "../mail.js";
import type { MailFacts } from "../mailing/mail-facts.js";
import { newMail, sendBudgetSchema } from "../mailing/send-budget.js";
import type { PublicBudgetView, Surroundings } from "../offer/public-view.js";
import { customersOf, summariesOfCustomer } from "../references/summaries.js";
import { presentPublicly } from "../sharing/public-link.js";
import { unsavedBudget } from "./unsaved-budget.js";

/** The content of a budget to show, saved or not. */
export const unsavedBudgetSchema = previewBudgetSchema
  .safeExtend({
    /** The lines, at least one. */
    items: z.array(unsavedLineSchema).min(1).max(SIZES.items),
    /** The budget whose number, link, messages and versions it continues. Its content is replaced. */
    budgetId: hostId
      .nullish()
      .describe(
        "The budget whose number, messages and versions it continues; its content is replaced. Needs READ_BUDGETS.",
      ),
    /** A text above the button of the mail. */
    message: sendBudgetSchema.shape.message.describe("Of the mail: a text above the button."),
  })
  .meta({ id: "PreviewDocument" });
/** The content of a budget to show as its customer would see it. */
export interface PreviewDocument extends z.input<typeof unsavedBudgetSchema> {}
export type UnsavedBudgetInput = z.output<typeof unsavedBudgetSchema>;

/** Stands for the token of a link that is not made: no link ends so, and what leads there leads nowhere. */
const NO_TOKEN = "preview";

/**
 * What the link would show after the content is saved and sent. Stores nothing, uses no id and makes no link or event.
 * Errors: those of previewBudget; not-found for another budget than one of the business; forbidden without READ_BUDGETS
 * where it continues a budget.
 */
export async function unsavedOffer(
  given: BudgetContext,
  actor: Actor,
  input: UnsavedBudgetInput,
  now: Instant,
): Promise<Result<PublicBudgetView, Problem>> {
  const { businessId } = actor;
  const context = withOneLookUp(given, businessId);
  const found = await formerOf(context, actor, input.budgetId ?? null);
  if (found.isErr()) return err(found.error);
  const former = found.value;
  const currency = input.currency ?? former?.currency;
  const [checked, planned] = await Promise.all([
    checkCreation(context, businessId, { ...input, currency }, now, null),
    planCustomer(context, actor, input, now),
  ]);
  if (checked.isErr()) return err(checked.error);
  if (planned.isErr()) return err(planned.error);
  const customer = planned.value;
  const customerId = customer?.id ?? input.customerId ?? former?.customerId ?? "";
  const content = unsavedBudget(former, customerId, input, checked.value, actor, now);
  const sized = checkBudgetSize(content, former ?? undefined);
  if (sized.isErr()) return err(sized.error);
  const budget = await asSent(context, content, now);
  const known: Partial<Surroundings> = customer === null ? {} : { customer };
  const [present, summaries] = await Promise.all([
    presentPublicly(context, budget, NO_TOKEN, known),
    customer === null ? customersOf(context, businessId, [budget]) : summariesOfCustomer(customer),
  ]);
  return ok(present(budget, summaries));
}

async function formerOf(
  { store }: BudgetContext,
  actor: Actor,
  budgetId: string | null,
): Promise<Result<Budget | null, Problem>> {
  if (budgetId === null) return ok(null);
  const refusal = refuseWithoutScope(actor, "READ_BUDGETS");
  if (refusal !== null) return err(refusal);
  const former = await store.findBudget(actor.businessId, budgetId);
  return former === null || former.deletion !== null ? err(notFound("budget", budgetId)) : ok(former);
}

/** With the terms of the business, and a number of its pattern. Only a commit draws a number: this one has zeros. */
async function asSent(context: BudgetContext, content: Budget, now: Instant): Promise<Budget> {
  const { budget, numbering } = await prepareSending(context, content, now);
  return numbering?.kind === "draw" ? { ...budget, number: numberIn(numbering.series, 0) } : budget;
}

/** What the mail of a budget would show that is sent as the view has it. Nothing is queued. */
export function unsavedMail(
  view: PublicBudgetView,
  { lang, message }: Pick<Mail, "lang" | "message">,
  actor: Actor,
  now: Instant,
): MailFacts {
  const budget = { businessId: actor.businessId, id: view.id, publicTokenHash: null };
  const mail = newMail({ to: "", lang, message }, actor, budget, "", now);
  const { business, publicUrl } = view;
  return { mail, business, view, publicUrl, unsubscribeUrl: null, message, customer: null };
}
