import { err, ok, type Result } from "neverthrow";
import type { z } from "zod";
import type { Actor } from "../kernel/actor.js";
import { numberAt } from "../kernel/at.js";
import type { Instant } from "../kernel/clock.js";
import { fromMinor, type Minor } from "../kernel/money.js";
import type { Problem } from "../kernel/problem.js";
import type { BudgetContext } from "./budget-context.js";
import type { budgetPreviewSchema } from "./budget-preview-view-schema.js";
import { checkCreation, type PreviewBudgetInput } from "./create-budget.js";
import type { TotalsStep } from "./totals-step.js";
import { type TraceStep, traceOf } from "./totals-trace.js";
export type BudgetPreview = Omit<z.infer<typeof budgetPreviewSchema>, "trace"> & { trace: TraceStep[] };

/**
 * The figures that createBudget would give, and how they come about, step by step. Nothing is stored, no id is used and
 * no event is told. Errors: those of createBudget.
 */
export async function previewBudget(
  context: BudgetContext,
  actor: Actor,
  input: PreviewBudgetInput,
  now: Instant = context.clock.now(),
): Promise<Result<BudgetPreview, Problem>> {
  const steps: TotalsStep[] = [];
  const checked = await checkCreation(context, actor.businessId, input, now, steps);
  if (checked.isErr()) return err(checked.error);
  const { currency } = input;
  const { lines, ...figures } = checked.value.totals;
  const major = (minor: Minor) => fromMinor(minor, currency);
  return ok({
    currency,
    subtotal: major(figures.subtotal),
    discount: major(figures.discount),
    tax: major(figures.tax),
    total: major(figures.total),
    items: input.items.map(({ description, quantity, unitPrice }, index) => ({
      description,
      quantity,
      unitPrice,
      total: major(numberAt(lines.totals, index)),
      discount: major(numberAt(lines.discounts, index)),
      tax: major(numberAt(lines.taxes, index)),
    })),
    trace: traceOf(steps, currency),
  });
}
