import { BusinessCache } from "../../kernel/business-cache.js";
import type { Budget } from "../budget.js";
import type { NamedBudget } from "../budget-store.js";

/** In characters of documents: of all, of one business, and of one budget; a longer one is read each time. */
const MAX_CHARACTERS = 8_000_000;
const MAX_OF_BUSINESS = 2_000_000;
const LONGEST_CACHED = 4_096;

/** What a business takes in memory beside its budgets. */
const OF_BUSINESS = 2_000;

/** What is known of a budget; null = only that it was read once. */
interface Entry<T> {
  readonly value: T | null;
  readonly size: number;
}

/** A note has its place in a cache and nothing else. */
const READ_ONCE: Entry<never> = { value: null, size: 400 };

/**
 * Budgets with their names that a store caches, as `BudgetStore.findNamedBudget` allows: the store knows when one has
 * changed. A budget is cached from its second read on, since most are read once. None is cached with a document of more
 * than 4,096 characters or with nested metadata. `T`: the budget with its names, and what the store adds to know whether
 * one has changed.
 */
export class BudgetCache<T extends object = NamedBudget> {
  readonly #entries = new BusinessCache<Entry<T>>({
    total: MAX_CHARACTERS,
    share: MAX_OF_BUSINESS,
    ofBusiness: OF_BUSINESS,
    sizeOf: ({ size }) => size,
  });

  get(businessId: string, id: string): T | undefined {
    return this.#entries.get(businessId, id)?.value ?? undefined;
  }

  /** Notes that a budget was read. Returns whether it is to be cached. */
  noteRead(budget: Budget): boolean {
    if (hasNestedMetadata(budget)) return false;
    const { businessId, id } = budget;
    if (this.#entries.get(businessId, id) !== undefined) return true;
    this.#entries.set(businessId, id, READ_ONCE);
    return false;
  }

  /** Freezes and caches what was read of a budget. `length`: the characters of its document. */
  set({ businessId, id }: Budget, value: T, length: number): void {
    if (length <= LONGEST_CACHED) this.#entries.set(businessId, id, { value: deepFreeze(value), size: length });
  }

  /** Forgets a budget, but not that it was read. */
  delete(businessId: string, id: string): void {
    if (this.#entries.get(businessId, id) !== undefined) this.#entries.set(businessId, id, READ_ONCE);
  }

  clear(): void {
    this.#entries.clear();
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
