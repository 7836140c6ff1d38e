import {
  type BudgetStore,
  type CatalogStore,
  createFairSemaphore,
  type SemaphoreLimits,
  StoreUnavailable,
} from "@budgetkit/core/store";

/** The lists that may search. */
export type Lists = Pick<BudgetStore, "listBudgets"> & Pick<CatalogStore, "listRecords">;

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
export function oneSearchPerBusiness<S extends Lists>(store: S): S {
  const inSlot = createFairSemaphore(LIMITS, (reason) => new StoreUnavailable(reason));
  const inTurn = <T>(businessId: string, { search }: { readonly search: string | null }, list: () => Promise<T>) =>
    search === null ? list() : inSlot(businessId, list);
  return {
    ...store,
    listBudgets: (businessId, query) => inTurn(businessId, query, () => store.listBudgets(businessId, query)),
    listRecords: (kind, businessId, query) =>
      inTurn(businessId, query, () => store.listRecords(kind, businessId, query)),
  };
}
