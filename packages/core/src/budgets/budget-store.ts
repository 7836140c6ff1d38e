import type { DomainEvent } from "../events/event.js";
import type { Receipt } from "../idempotency/idempotency-store.js";
import type { Instant } from "../kernel/clock.js";
import type { Page } from "../kernel/page.js";
import type { Budget, BudgetStatus } from "./budget.js";

/**
 * What budgets need of a store. Every method is atomic: the budget, the counters of its status, its events and its
 * receipt become visible together or not at all. Methods take the business first; the three that look across
 * businesses say why.
 */
export interface BudgetStore {
  /**
   * Adds a new budget with its events. An id that the business has already is a fault: the call rejects.
   * @returns `"receipt-lost"` when the receipt's claim was taken over or completed meanwhile: nothing is written.
   */
  insertBudget(budget: Budget, events: readonly DomainEvent[], receipt: Receipt | null): Promise<InsertOutcome>;

  /** The budget, in whatever state, DELETED included; null when this business has none of that id. */
  findBudget(businessId: string, id: string): Promise<Budget | null>;

  /**
   * Puts `budget` in the place of the stored one if that is still at `expectedVersion`. Of several writers that
   * expect the same version exactly one gets `"written"`; the others get `"stale"`, as does a budget that is not there.
   * When `budget.revision` is greater than the stored one's, the stored budget is kept as a revision in the same commit.
   */
  replaceBudget(
    budget: Budget,
    expectedVersion: number,
    events: readonly DomainEvent[],
    receipt: Receipt | null,
  ): Promise<ReplaceOutcome>;

  /**
   * One revision of a budget as it last was, whole; the present one is the budget itself. Null when there is none of
   * that number, or no such budget. A revision that is replaced meanwhile is found all the same, before or after.
   */
  findRevision(businessId: string, id: string, revision: number): Promise<Budget | null>;

  /**
   * The revisions of a budget, the present one included, newest first and all as of one moment. Revisions count
   * without gaps, so that a page is found by its numbers and costs what it holds.
   */
  listRevisions(businessId: string, id: string, limit: number, offset: number): Promise<Page<RevisionEntry>>;

  /** `nextCursor` is the last entry's place, by `encodeSortKey`, when more entries follow the page in its order. */
  listBudgets(businessId: string, query: BudgetQuery): Promise<Page<Budget>>;

  /** Looks across businesses: the token is the only credential of whoever follows a public link. */
  findBudgetByPublicToken(tokenHash: string): Promise<Budget | null>;

  /** PENDING budgets of one business whose validity has been reached (`validUntil <= now`), the longest overdue first. */
  findOverdueBudgets(businessId: string, now: Instant, limit: number): Promise<readonly Budget[]>;

  /** The same across businesses, for the sweep that expires them. */
  findAllOverdueBudgets(now: Instant, limit: number): Promise<readonly Budget[]>;
}

/** What a list tells of a revision: everything but the content. */
export type RevisionEntry = Pick<
  Budget,
  "version" | "revision" | "revised" | "status" | "currency" | "subtotal" | "discount" | "tax" | "total"
>;

export type InsertOutcome = "written" | "receipt-lost";
export type ReplaceOutcome = "written" | "stale" | "receipt-lost";

export const BUDGET_SORTS = ["createdAt", "total", "status"] as const;
export type BudgetSort = (typeof BUDGET_SORTS)[number];

/** What a list of budgets is filtered and ordered by. Bounds are inclusive; null means no such filter. */
export interface BudgetQuery {
  readonly status: BudgetStatus | null;
  readonly includeDeleted: boolean; // DELETED ones are left out otherwise, unless status asks for them
  readonly customerId: string | null;
  readonly search: string | null; // already folded by foldForSearch
  readonly minTotal: number | null; // in major units, as on the wire
  readonly maxTotal: number | null;
  readonly createdAfter: Instant | null;
  readonly createdBefore: Instant | null;
  readonly sort: BudgetSort;
  readonly order: "asc" | "desc";
  readonly limit: number;
  readonly position: ListPosition;
}

/** Where a page begins: after so many entries, or behind the entry that a cursor names. */
export type ListPosition =
  | { readonly kind: "offset"; readonly offset: number }
  | { readonly kind: "after"; readonly key: SortKey };

/**
 * The place of a budget in an order. Ties are broken by the creation time and then by the id as an integer, in the
 * same direction as the sort, so that every order is total.
 */
export interface SortKey {
  readonly value: number | string; // createdAt (ms), total (major units) or status
  readonly createdAt: Instant;
  readonly id: string;
}
