import { z } from "zod";
import { parseId } from "../kernel/ids.js";
import { fromMinor } from "../kernel/money.js";
import { searchTextOfFields } from "../kernel/search-text.js";
import { BUDGET_STATUSES, type Budget } from "./budget.js";
import type { BudgetSort, SortKey } from "./budget-store.js";

/** The place of a budget in a list that is ordered by `sort`. Stores order by it and resume behind it. */
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

/** Compares two places in ascending order. Text is compared by code unit, as a binary collation does. */
export function compareSortKeys(a: SortKey, b: SortKey): number {
  if (a.value !== b.value) return a.value < b.value ? -1 : 1;
  if (a.createdAt !== b.createdAt) return a.createdAt - b.createdAt;
  return Number(a.id) - Number(b.id);
}

/** A place in a list as a cursor carries it: text that is safe in a URL and says nothing to whoever passes it on. */
export function encodeSortKey(key: SortKey): string {
  return Buffer.from(JSON.stringify([key.value, key.createdAt, key.id])).toString("base64url");
}

/** The place that a cursor names, or null when the text was not made by {@link encodeSortKey}. */
export function decodeSortKey(text: string): SortKey | null {
  const place = sortKeyTuple.safeParse(parseJson(Buffer.from(text, "base64url").toString()));
  if (!place.success) return null;
  const [value, createdAt, id] = place.data;
  const key = { value, createdAt, id };
  return encodeSortKey(key) === text ? key : null;
}

const sortKeyTuple = z.tuple([
  z.union([z.number(), z.enum(BUDGET_STATUSES)]),
  z.int(),
  z.string().refine((id) => parseId(id) !== null),
]);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What a search looks through: the notes and the items' descriptions, folded. */
export function searchTextOf(budget: Budget): string {
  return searchTextOfFields([budget.notes ?? "", ...budget.items.map((item) => item.description)]);
}
