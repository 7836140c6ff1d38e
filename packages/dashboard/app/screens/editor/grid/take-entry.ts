import type { CatalogEntry } from "../catalog/catalog-entries.js";
import { type EditedBudget, type EditedTax, withLineTaxes } from "../document/edited-budget.js";
import type { Line, LineKind } from "../document/line.js";
import { setFields } from "../document/line-operations.js";

export type EntryKind = Exclude<LineKind, "item">;

/** A line of another kind in the place of one that was just begun. */
export function replaceLine(budget: EditedBudget, key: string, line: Line): EditedBudget {
  return { ...budget, lines: budget.lines.map((each) => (each.key === key ? line : each)) };
}

/** Fills a line from the catalog. Its taxes become taxes of the budget, if the business has them. */
export function takeEntry(
  budget: EditedBudget,
  key: string,
  { fields }: CatalogEntry,
  known: readonly EditedTax[],
): EditedBudget {
  const { taxes, ...rest } = fields;
  const filled = setFields(budget, key, rest);
  if (taxes === undefined || taxes === null) return filled;
  const available = new Set([...known, ...budget.head.taxes].map(({ id }) => id));
  return withLineTaxes(
    filled,
    key,
    taxes.filter((id) => available.has(id)),
    known,
  );
}
