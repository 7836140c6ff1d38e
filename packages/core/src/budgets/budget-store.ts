import type { CustomerSummary } from "../catalog/customer.js";
import type { ProductSummary } from "../catalog/product-summary.js";
import type { Instant } from "../kernel/clock.js";
import type { Position } from "../kernel/list-query.js";
import type { Page } from "../kernel/page.js";
import type { Budget, BudgetStatus } from "./budget.js";

/** The port of budgets: their reads. Methods take the business first, except where the comment says why not. */
export interface BudgetStore {
  /** The budget in any state, DELETED included; null = the business has no budget of that id. */
  findBudget(businessId: string, id: string): Promise<Budget | null>;

  /**
   * The budget as findBudget returns it, with its customer and the products of its items as findCustomers and
   * findProductSummaries return them. The names are not older than the budget. A store may keep what it found: it
   * freezes the object, and returns it again as long as nothing in it has changed.
   */
  findNamedBudget(businessId: string, id: string): Promise<NamedBudget | null>;

  /**
   * The last state of one revision; of the present revision the budget itself. Null = no such budget or revision. A
   * concurrent replacement does not hide a revision: the result is its state before or after.
   */
  findRevision(businessId: string, id: string, revision: number): Promise<Budget | null>;

  /**
   * The revisions of a budget, the present one included, newest first, from one snapshot. Revision numbers have no
   * gaps: the cost of a page depends on its size alone.
   */
  listRevisions(businessId: string, id: string, limit: number, offset: number): Promise<Page<RevisionEntry>>;

  /**
   * The budgets as of `query.now`, by `asOf`: the filter, the order, the count and the entries show an overdue budget as
   * EXPIRED, so the page is the same before and after the sweep. The cost does not depend on the number of budgets that
   * no filter keeps; it may grow with the number of overdue ones, which the sweep keeps low.
   * `nextCursor` is the keyset position of the last entry, by `encodeSortKey`, if more entries follow.
   * A search of many budgets may count a part only (`totalIsLowerBound`), and may end a page before its limit; then
   * `nextCursor` is the position of the last row that was read, or null behind an empty page of an offset.
   */
  listBudgets(businessId: string, query: BudgetQuery): Promise<Page<Budget>>;

  /** Searches all businesses: the token of a public link is the only credential. */
  findBudgetByPublicToken(tokenHash: string): Promise<Budget | null>;

  /**
   * The PENDING budgets with `validUntil <= now` of all businesses but those of `without` (default: none), the longest
   * overdue first, for the sweep.
   */
  findAllOverdueBudgets(now: Instant, limit: number, without?: readonly string[]): Promise<readonly Budget[]>;
}

/** A budget with the catalog entries that it names. */
export interface NamedBudget {
  readonly budget: Budget;
  readonly customer: CustomerSummary | null; // null = the catalog has none of that id
  readonly products: readonly ProductSummary[]; // without unknown ones
}

/** A revision in a list, without its content. */
export type RevisionEntry = Pick<
  Budget,
  "version" | "revision" | "revised" | "status" | "currency" | "subtotal" | "discount" | "tax" | "total"
>;

export const BUDGET_SORTS = ["createdAt", "total", "status"] as const;
export type BudgetSort = (typeof BUDGET_SORTS)[number];

/** The filters and the order of a list. Bounds are inclusive; null = no such filter. */
export interface BudgetQuery {
  readonly now: Instant; // a PENDING budget with `validUntil <= now` is listed as EXPIRED
  readonly status: BudgetStatus | null;
  readonly includeDeleted: boolean; // false = without DELETED ones, unless `status` is DELETED
  readonly customerId: string | null;
  readonly search: string | null; // folded by foldForSearch
  readonly minTotal: number | null; // in major units, as on the wire
  readonly maxTotal: number | null;
  readonly createdAfter: Instant | null;
  readonly createdBefore: Instant | null;
  readonly sort: BudgetSort;
  readonly order: "asc" | "desc";
  readonly limit: number;
  readonly position: ListPosition;
}

export type ListPosition = Position<SortKey>;

/**
 * A keyset position. Ties are ordered by creation time and then by the id as an integer, in the same direction, so that
 * every order is total.
 */
export interface SortKey {
  readonly value: number | string; // createdAt (ms), total (major units) or status
  readonly createdAt: Instant;
  readonly id: string;
}
