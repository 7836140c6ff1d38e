import {
  type BudgetStore,
  type CatalogStore,
  createFairSemaphore,
  type Page,
  type SemaphoreLimits,
  StoreUnavailable,
} from "@budgetkit/core/store";

type Lists = Pick<BudgetStore, "listBudgets"> & Pick<CatalogStore, "listCustomers" | "listProducts" | "listPackages">;

/** A business runs one search at a time. Beyond these limits a search is refused with StoreUnavailable. */
const LIMITS: SemaphoreLimits = {
  slots: Number.POSITIVE_INFINITY,
  slotsPerKey: 1,
  maxWaiting: Number.POSITIVE_INFINITY,
  maxWaitingPerKey: 100,
  timeoutMs: 10_000,
};

/**
 * The same lists, of which each business has one with a search running at a time. SQLite searches on the event loop, in
 * steps: the steps of one business's searches would come between those of the others.
 */
export function oneSearchPerBusiness(lists: Lists): Lists {
  const inSlot = createFairSemaphore(LIMITS, (reason) => new StoreUnavailable(reason));

  function inTurn<Query extends { readonly search: string | null }, Entry>(
    list: (businessId: string, query: Query) => Promise<Page<Entry>>,
  ): (businessId: string, query: Query) => Promise<Page<Entry>> {
    return (businessId, query) =>
      query.search === null ? list(businessId, query) : inSlot(businessId, () => list(businessId, query));
  }

  return {
    listBudgets: inTurn(lists.listBudgets),
    listCustomers: inTurn(lists.listCustomers),
    listProducts: inTurn(lists.listProducts),
    listPackages: inTurn(lists.listPackages),
  };
}
