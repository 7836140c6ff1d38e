import { z } from "zod";
import { parseId } from "../../kernel/ids.js";
import {
  type Cursor,
  decodeCursor,
  decodePosition,
  encodePosition,
  searchTextOfFields,
} from "../../kernel/list-query.js";
import { fromMinor } from "../../kernel/money.js";
import { BUDGET_STATUSES, type Budget } from "../budget.js";
import type { BudgetQuery, BudgetSort, SortKey } from "../budget-store.js";

/** The keyset position of a budget in a list ordered by `sort`. Stores order by it and resume after it. */
export function sortKeyOf(budget: Budget, sort: BudgetSort): SortKey {
  return { value: sortValueOf(budget, sort), createdAt: budget.createdAt, id: budget.id };
}

function sortValueOf(budget: Budget, sort: BudgetSort): number | string {
  switch (sort) {
    case "createdAt":
      return budget.createdAt;
    case "total":
      return fromMinor(budget.total, budget.currency);
    case "status":
      return budget.status;
  }
}

/** Compares two keyset positions in ascending order. Text is compared by code unit, as a binary collation does. */
export function compareSortKeys(a: SortKey, b: SortKey): number {
  if (a.value !== b.value) return a.value < b.value ? -1 : 1;
  if (a.createdAt !== b.createdAt) return a.createdAt - b.createdAt;
  return Number(a.id) - Number(b.id);
}

/** Reads a cursor; null for text that is no cursor, and for a cursor of another order. */
export function decodeListCursor(text: string, order: Pick<BudgetQuery, "sort" | "order">): Cursor<SortKey> | null {
  return decodeCursor(text, order, decodeSortKey, order.sort === "status");
}

/** A keyset position as a cursor carries it. */
export function encodeSortKey({ value, createdAt, id }: SortKey): string {
  return encodePosition([value, createdAt, id]);
}

/** The keyset position in a cursor; null for text that {@link encodeSortKey} did not make. */
export function decodeSortKey(text: string): SortKey | null {
  const position = decodePosition(text, sortKeyTuple);
  if (position === null) return null;
  const [value, createdAt, id] = position;
  return { value, createdAt, id };
}

const sortKeyTuple = z.tuple([
  z.union([z.number(), z.enum(BUDGET_STATUSES)]),
  z.int(),
  z.string().refine((id) => parseId(id) !== null),
]);

/** The text that a search scans: the notes, the descriptions of the items, and the number. */
export function searchTextOf({ notes, items, number }: Budget): string {
  const fields = [notes ?? "", ...items.map((item) => item.description)];
  if (number !== undefined) fields.push(number);
  return searchTextOfFields(fields);
}
