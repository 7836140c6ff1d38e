import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Actor } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import { fromMinor, type Minor } from "../kernel/money.js";
import type { Problem } from "../kernel/problem.js";
import type { TotalsStep } from "../pricing/totals-step.js";
import { totalsTraceOf } from "../pricing/totals-trace.js";
import { traceStepSchema } from "../pricing/trace-schema.js";
import type { BudgetItem } from "./budget.js";
import type { BudgetContext } from "./budget-context.js";
import { checkBudgetSize } from "./budget-size.js";
import { type CheckedCreation, checkCreation, type PreviewBudgetInput, withOneLookUp } from "./create-budget.js";
import { planCustomer } from "./inline-customer.js";
import { pricedItems } from "./items.js";
import {
  internalExtras,
  itemExtras,
  itemKind,
  unpricedLineOf,
  unpricedLines,
  withCost,
  withExtras,
} from "./line-view.js";
import { depositField } from "./price-figures.js";
import {
  depositFigures,
  depositFiguresOf,
  internalFigures,
  internalFiguresOf,
  taxFigures,
  taxFiguresOf,
} from "./price-view.js";

export const budgetPreviewSchema = z
  .object({
    currency: z.string(),
    subtotal: z.number(),
    discount: z.number(),
    tax: z.number(),
    total: z.number(),
    ...taxFigures,
    deposit: depositFigures.deposit,
    minimumPaymentToConfirm: depositFigures.minimumPaymentToConfirm,
    ...internalFigures,
    items: z.array(
      z.union([
        z
          .object({
            kind: itemKind,
            description: z.string(),
            quantity: z.number(),
            unitPrice: z.number(),
            ...itemExtras,
            ...internalExtras,
            total: z.number(),
            discount: z.number(),
            tax: z.number(),
          })
          .meta({ id: "PreviewItem" }),
        ...unpricedLines,
      ]),
    ),
    trace: z.array(traceStepSchema),
  })
  .meta({ id: "BudgetPreview" });
export type BudgetPreview = z.infer<typeof budgetPreviewSchema>;

/**
 * The figures of a creation and the steps of their computation. Stores nothing, uses no id and makes no event.
 * Errors: those of createBudget.
 */
export async function previewBudget(
  given: BudgetContext,
  actor: Actor,
  input: PreviewBudgetInput,
  now: Instant = given.clock.now(),
): Promise<Result<BudgetPreview, Problem>> {
  const context = withOneLookUp(given, actor.businessId);
  const steps: TotalsStep[] = [];
  const [checked, customer] = await Promise.all([
    checkCreation(context, actor.businessId, input, now, steps),
    planCustomer(context, actor, input, now),
  ]);
  if (checked.isErr()) return err(checked.error);
  if (customer.isErr()) return err(customer.error);
  const { currency } = checked.value;
  const content = contentOf(input, checked.value);
  const sized = checkBudgetSize(content);
  if (sized.isErr()) return err(sized.error);
  const figures = checked.value.totals;
  const major = (minor: Minor) => fromMinor(minor, currency);
  return ok({
    currency,
    subtotal: major(figures.subtotal),
    discount: major(figures.discount),
    tax: major(figures.tax),
    total: major(figures.total),
    ...pricingFieldsOf(checked.value),
    items: content.items.map((item) => previewLineOf(item, currency)),
    trace: totalsTraceOf(steps, currency),
  });
}

function previewLineOf(item: BudgetItem, currency: string): BudgetPreview["items"][number] {
  const { description, quantity, unitPrice, total, discount, tax } = item;
  const major = (minor: Minor) => fromMinor(minor, currency);
  const line = { description, quantity, unitPrice, total: major(total), discount: major(discount), tax: major(tax) };
  return unpricedLineOf(item, currency) ?? withCost(withExtras(line, item, currency), item);
}

/** The figures that most budgets do not have, as the created budget would show them. */
function pricingFieldsOf({ currency, figures, deposit }: CheckedCreation) {
  const { taxes, recurring, cost } = figures;
  if (taxes === undefined && recurring === undefined && cost === undefined && deposit === null) return {};
  const budget = {
    ...figures,
    currency,
    publicOffer: null,
    paid: 0,
    status: "DRAFT" as const,
    ...depositField(deposit),
  };
  const { balance: _nothing, dueToConfirm: _isPaid, ...ofDeposit } = depositFiguresOf(budget);
  return { ...taxFiguresOf(budget), ...ofDeposit, ...internalFiguresOf(budget) };
}

/** The content that the creation would store. Its ids are as long as an id can be: the real ones are not drawn. */
function contentOf({ notes, metadata }: PreviewBudgetInput, { items, totals }: CheckedCreation) {
  const ids = items.map(() => String(Number.MAX_SAFE_INTEGER));
  return { items: pricedItems(items, ids, totals), notes: notes ?? null, metadata };
}
