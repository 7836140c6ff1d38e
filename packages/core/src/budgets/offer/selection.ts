import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { canonicalJson } from "../../kernel/canonical-json.js";
import type { Rounding } from "../../kernel/decimal.js";
import { quantity, SIZES } from "../../kernel/fields.js";
import { brokenRule, type Problem } from "../../kernel/problem.js";
import { sha256Hex } from "../../kernel/secret-box.js";
import { applySelection, isConfigurable, offeredPart, type SelectedLine } from "../../pricing/selection.js";
import type { Budget } from "../budget.js";
import { checkPaid } from "../lifecycle/confirm-budget.js";
import { repriceLines } from "../reprice.js";

/** The fields of http/routes/selection-form.ts. */
export const IN_FORMS =
  "A form has the fields `offered.{itemId}`, `selected.{itemId}`, `choice.{key}` and `quantity.{itemId}` instead.";

/** What the customer sets of an offer. A line that it does not name stays as it is. */
export const selectionSchema = z
  .array(
    z
      .object({
        /** Id of the line, as the offer has it. */
        itemId: z.string().max(SIZES.id).describe("Id of the line, as the offer has it."),
        /** Of an optional line or an option of a choice. */
        selected: z.boolean().optional().describe("Of an optional line or an option of a choice."),
        /** Within the quantityRange of the line. */
        quantity: quantity.optional().describe("Within the quantityRange of the line."),
      })
      .meta({ id: "SelectedItem" }),
  )
  .max(SIZES.items)
  .describe(`What the customer sets of the offer. A line that it does not name stays as it is. ${IN_FORMS}`);
export type Selection = z.output<typeof selectionSchema>;

/**
 * The budget with a selection of the customer, priced again.
 * Errors: SELECTION_NOT_OFFERED, CHOICE_EXCEEDED, PAYMENT_EXCEEDS_TOTAL and those of the totals.
 */
export function withSelection(budget: Budget, selection: Selection, rounding: Rounding): Result<Budget, Problem> {
  if (selection.length === 0) return ok(budget);
  const items = applySelection(budget.items, selection);
  if (items.isErr()) return err(items.error);
  return repriceLines(budget, items.value, {}, rounding)
    .mapErr(withoutCosts)
    .andThrough((chosen) => checkPaid(budget, chosen));
}

/** A customer does not learn which lines have a cost, nor from which quantity it is too large. */
function withoutCosts(problem: Problem): Problem {
  if (problem.kind !== "rule" || !COST.test(String(problem.details.field))) return problem;
  return brokenRule("SELECTION_NOT_OFFERED", "The offer does not let the customer set this.", { field: "selection" });
}

const COST = /^cost$|\.unitCost$/;

/** The part of a selection that an offer still has. */
export function stillOffered({ items }: Budget, selection: Selection): Selection {
  return offeredPart(items, selection);
}

/** What of each line that the customer may set stands in the budget. */
export function selectionOf({ items }: Budget): readonly SelectedLine[] {
  return items.filter(isConfigurable).map(({ id, selected, quantityRange, quantity: count }) => ({
    itemId: id,
    ...(selected === undefined ? {} : { selected }),
    ...(quantityRange === undefined ? {} : { quantity: count }),
  }));
}

/** SHA-256 of the canonical JSON, in lower-case hexadecimal. */
export function selectionHashOf(selection: readonly SelectedLine[]): string {
  return sha256Hex(canonicalJson(selection));
}
