import {
  type Budget,
  BudgetCache,
  type Business,
  type CustomerSummary,
  type NamedBudget,
  type PresentedKey,
  type ProductSummary,
  productNamesOf,
  type Store,
  type Write,
} from "@budgetkit/core/store";
import { LRUCache } from "lru-cache";
import type { OwnConnection } from "./engine/connection.js";

/** The reads that most requests begin with, and what the cache makes them from. */
type FrequentReads = Pick<
  Store,
  "findBudget" | "findNamedBudget" | "findBusiness" | "findKeyByHash" | "findCustomers" | "findProductSummaries"
>;

/**
 * The same store with a cache of what its frequent reads find.
 *
 * Each of them first reads the version of the state, in a snapshot that begins after the call. SQLite changes the version
 * with each commit of another connection, of this process or of another one, and what is cached under another version is
 * forgotten before it is looked for. The version does not show the commits of this connection, which other stores and
 * transactions of hosts may share. All of them note what they write in their transaction, before they write it, and the
 * cache forgets that at once. Reads and transactions of a connection never overlap: between the note and the commit no
 * read finds the former value, and after an undone transaction the value was forgotten for nothing. A read that misses may
 * find its value before such a write and return after it, so it caches the value only if nothing was forgotten since it
 * read the version. While the connection's owner has a transaction open on it, reads leave the cache aside, because what
 * they find may be undone. The names of a budget are looked for after the budget was read, under the version of that
 * moment, so they are not older than the budget.
 */
export function cachedReads<S extends FrequentReads>(store: S, connection: OwnConnection): S {
  const caches = newCaches();
  const recall = recaller(caches, connection);

  async function find<V extends object>(
    cache: LRUCache<string, V>,
    key: string,
    read: () => Promise<V | null>,
  ): Promise<V | null> {
    const { known, isCurrent } = await recall(() => cache.get(key));
    if (known !== undefined) return known;
    const found = await read();
    if (found !== null && isCurrent()) cache.set(key, found);
    return found;
  }

  /** `read` returns the value of one name, or nothing. */
  async function findEach<N, V extends object>(
    cache: LRUCache<string, V>,
    names: readonly N[],
    keyOf: (name: N) => string,
    read: (name: N) => Promise<readonly V[]>,
  ): Promise<readonly V[]> {
    if (names.length === 0) return [];
    const { known = [], isCurrent } = await recall(() => names.map((name) => cache.get(keyOf(name))));
    const found = await Promise.all(
      names.map(async (name, index) => {
        const value = known[index];
        if (value !== undefined) return [value];
        const values = await read(name);
        if (isCurrent()) for (const each of values) cache.set(keyOf(name), each);
        return values;
      }),
    );
    return found.flat();
  }

  const findCustomers: Store["findCustomers"] = (businessId, ids) =>
    findEach(
      caches.customers,
      [...new Set(ids)],
      (id) => `${businessId} ${id}`,
      (id) => store.findCustomers(businessId, [id]),
    );

  const findProductSummaries: Store["findProductSummaries"] = (businessId, names) =>
    findEach(
      caches.products,
      names,
      ({ productId, variantId }) => `${businessId} ${productId} ${variantId ?? ""}`, // an id contains no blank
      (name) => store.findProductSummaries(businessId, [name]),
    );

  async function withNames(budget: Budget): Promise<NamedBudget> {
    const { businessId, customerId, items } = budget;
    const [[customer = null], products] = await Promise.all([
      findCustomers(businessId, [customerId]),
      findProductSummaries(businessId, productNamesOf(items)),
    ]);
    return { budget, customer, products };
  }

  return {
    ...store,
    findCustomers,
    findProductSummaries,
    findBusiness: (id) => find(caches.businesses, id, () => store.findBusiness(id)),
    findKeyByHash: (hash) => find(caches.keys, hash, () => store.findKeyByHash(hash)),

    findNamedBudget: async (businessId, id) => {
      const { known, isCurrent } = await recall(() => caches.budgets.get(businessId, id));
      if (known !== undefined) return known;
      const budget = await store.findBudget(businessId, id);
      if (budget === null) return null;
      const found = await withNames(budget);
      if (isCurrent() && caches.budgets.noteRead(budget)) caches.budgets.set(budget, found, sizeOf(budget));
      return found;
    },
  };
}

/** What the caches are bounded by, in characters of JSON. */
const MAX_CHARACTERS = 4_000_000;

type Caches = ReturnType<typeof newCaches>;

function newCaches() {
  const bound = { maxSize: MAX_CHARACTERS, sizeCalculation: sizeOf };
  return {
    businesses: new LRUCache<string, Business>(bound), // by id
    keys: new LRUCache<string, PresentedKey>(bound), // by digest
    customers: new LRUCache<string, CustomerSummary>(bound),
    products: new LRUCache<string, ProductSummary>(bound),
    budgets: new BudgetCache<NamedBudget>(),
  };
}

function sizeOf(value: object): number {
  return JSON.stringify(value).length;
}

interface Recalled<T> {
  readonly known: T | undefined;
  /** True = nothing was forgotten since, so that what was read since may be cached. */
  isCurrent(): boolean;
}

/** Returns a function that looks something up in the caches, as of now; it finds nothing where they are left aside. */
function recaller(caches: Caches, connection: OwnConnection): <T>(look: () => T) => Promise<Recalled<T>> {
  let version: number | null = null;
  let timesForgotten = 0;

  function forget(from: readonly Pick<Caches[keyof Caches], "clear">[]): void {
    timesForgotten += 1;
    for (const cache of from) cache.clear();
  }

  connection.onWrites((writes) => {
    timesForgotten += 1;
    for (const write of writes) forgetWritten(caches, write);
  });

  return (look) =>
    connection.read(() => {
      const now = connection.version();
      if (now === null) return { known: undefined, isCurrent: () => false };
      if (now !== version) forget(Object.values(caches));
      version = now;
      const times = timesForgotten;
      return { known: look(), isCurrent: () => times === timesForgotten };
    });
}

/** A budget carries the names that were found for it, and a presented key the tier of its business. */
function forgetWritten({ businesses, keys, customers, products, budgets }: Caches, write: Write): void {
  switch (write.kind) {
    case "budget":
      budgets.delete(write.budget.businessId, write.budget.id);
      break;
    case "customer":
    case "product":
      for (const cache of [customers, products, budgets]) cache.clear();
      break;
    case "business":
      businesses.delete(write.business.id);
      break;
    case "tier":
      for (const cache of [businesses, keys]) cache.clear();
      break;
    case "key":
    case "key-use":
      keys.clear();
  }
}
