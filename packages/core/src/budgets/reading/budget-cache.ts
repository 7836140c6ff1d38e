import { ValuesOfBusinesses } from "../../kernel/values-of-businesses.js";
import type { Budget } from "../budget.js";
import type { NamedBudget } from "../budget-store.js";

/** Of all businesses. When it is reached, all are dropped. */
const MAX_CACHED = 2_000;

/** In characters; a longer document is read each time. */
const LONGEST_CACHED = 4_096;

/**
 * Budgets with their names that a store keeps, as `BudgetStore.findNamedBudget` allows: the store knows when one has
 * changed. A budget is kept from its second read on, since most are read once. At most 2,000 are kept, of 4,096
 * characters each. `T`: the budget with its names, and what the store adds to know whether one has changed.
 */
export class BudgetCache<T extends object = NamedBudget> {
  readonly #cached = new ValuesOfBusinesses<T>(MAX_CACHED);
  readonly #readOnce = new ValuesOfBusinesses<true>(MAX_CACHED);

  get(businessId: string, id: string): T | undefined {
    return this.#cached.get(businessId, id);
  }

  /**
   * Takes what a store has read of a budget; `length`: the characters of its document. The first call for a budget only
   * notes that it was read, a later one freezes and keeps the value. A long document or nested metadata is never kept.
   */
  add(budget: Budget, value: T, length: number): void {
    const { businessId, id } = budget;
    if (length > LONGEST_CACHED || hasNestedMetadata(budget)) return;
    if (this.#readOnce.get(businessId, id)) this.#cached.set(businessId, id, deepFreeze(value));
    else this.#readOnce.set(businessId, id, true);
  }

  delete(businessId: string, id: string): void {
    this.#cached.delete(businessId, id);
  }
}

/** Parsed, nested values may take thirty times the memory of their text. */
function hasNestedMetadata({ metadata }: Budget): boolean {
  return Object.values(metadata).some((value) => typeof value === "object" && value !== null);
}

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) {
    if (typeof member === "object" && member !== null) deepFreeze(member);
  }
  return Object.freeze(value);
}
