import { at } from "../kernel/at.js";
import type { BudgetSort, SortKey } from "./budget-store.js";
import { decodeSortKey } from "./list-order.js";

interface ListOrder {
  readonly sort: BudgetSort;
  readonly order: "asc" | "desc";
}

const CURSOR = /^([1-9]\d{0,8})\.(\w+)\.(asc|desc)\.([\w-]+)$/;

/** What a client hands back to get the next page: the page's number, the order, and the entry to resume behind. */
export function encodeListCursor(position: string, page: number, { sort, order }: ListOrder): string {
  return `${page}.${sort}.${order}.${position}`;
}

/** The place that a cursor names; null for text that is no cursor or one of another order. */
export function decodeListCursor(text: string, { sort, order }: ListOrder): { page: number; key: SortKey } | null {
  const match = CURSOR.exec(text);
  if (match === null || match[2] !== sort || match[3] !== order) return null;
  const key = decodeSortKey(at(match, 4));
  const isFitting = key !== null && (typeof key.value === "string") === (sort === "status");
  return isFitting ? { page: Number(match[1]), key } : null;
}
