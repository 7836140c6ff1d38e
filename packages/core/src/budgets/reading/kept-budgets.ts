import { ValuesOfBusinesses } from "../../kernel/values-of-businesses.js";
import type { Budget } from "../budget.js";
import type { NamedBudget } from "../budget-store.js";

const MAX_KEPT = 2_000;

/** In characters; a longer document is read each time. */
const LONGEST_KEPT = 4_096;

/**
 * Budgets with their names that a store keeps, as `BudgetStore.findNamedBudget` allows: the store knows when one has
 * changed. A budget is kept from its second read on: one that is read once is not worth its place.
 */
export class KeptBudgets {
  readonly #kept = new ValuesOfBusinesses<NamedBudget>(MAX_KEPT);
  readonly #readOnce = new ValuesOfBusinesses<true>(MAX_KEPT);

  get(businessId: string, id: string): NamedBudget | undefined {
    return this.#kept.get(businessId, id);
  }

  /** Freezes and keeps what was read, unless it is not worth it. `length`: of its document, in characters. */
  add(found: NamedBudget, length: number): void {
    const { businessId, id } = found.budget;
    if (length > LONGEST_KEPT || hasNestedMetadata(found.budget)) return;
    if (this.#readOnce.get(businessId, id)) this.#kept.set(businessId, id, deepFreeze(found));
    else this.#readOnce.set(businessId, id, true);
  }

  delete(businessId: string, id: string): void {
    this.#kept.delete(businessId, id);
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
