import { ValuesOfBusinesses } from "../../kernel/values-of-businesses.js";
import type { Budget } from "../budget.js";
import type { NamedBudget } from "../budget-store.js";

/** Of all businesses. When it is reached, all are dropped. */
const MAX_CACHED = 2_000;

/** In characters; a longer document is read each time. */
const LONGEST_CACHED = 4_096;

/**
 * Budgets with their names that a store caches, as `BudgetStore.findNamedBudget` allows: the store knows when one has
 * changed. A budget is cached from its second read on, since most are read once. At most 2,000 are cached, of 4,096
 * characters each, and none with nested metadata. `T`: the budget with its names, and what the store adds to know whether
 * one has changed.
 */
export class BudgetCache<T extends object = NamedBudget> {
  readonly #cached = new ValuesOfBusinesses<T>(MAX_CACHED);
  readonly #readOnce = new ValuesOfBusinesses<true>(MAX_CACHED);

  get(businessId: string, id: string): T | undefined {
    return this.#cached.get(businessId, id);
  }

  /** Notes that a budget was read; `length`: the characters of its document. Returns whether it is to be cached. */
  noteRead(budget: Budget, length: number): boolean {
    const { businessId, id } = budget;
    if (length > LONGEST_CACHED || hasNestedMetadata(budget)) return false;
    if (this.#readOnce.get(businessId, id) === true) return true;
    this.#readOnce.set(businessId, id, true);
    return false;
  }

  /** Freezes and caches what was read of a budget. */
  set({ businessId, id }: Budget, value: T): void {
    this.#cached.set(businessId, id, deepFreeze(value));
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
