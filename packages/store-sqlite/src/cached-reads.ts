import {
  BudgetCache,
  type Business,
  BusinessCache,
  type CustomerSummary,
  type PresentedKey,
  type ProductSummary,
  type Write,
} from "@budgetkit/core/store";
import { LRUCache } from "lru-cache";
import type { OwnConnection } from "./engine/connection.js";
import { type FrequentReads, withNames } from "./frequent-reads.js";

/**
 * Returns the same look-ups with a cache of what they find, for the state of the moment.
 *
 * They run inside a read, in one step: no write of this connection comes between a look-up and its entry in the cache.
 * SQLite changes the version of a state with each commit of another connection, of this process or of another one, and
 * shows every commit that was acknowledged before the read. What was found under another version is forgotten before it is
 * looked for; what is newer than the version under which it is cached is forgotten with it, too early at worst. The version
 * does not show the commits of this connection, which other stores and transactions of hosts may share. All of them note
 * their writes in their transaction, before they apply them, and the cache forgets those at once. No read comes between
 * the note and the commit, and after an undone transaction the entries were forgotten for nothing. Only while the
 * connection's owner has a transaction open do reads run within one, and find what may be undone: they leave the cache
 * aside. The names that a budget is cached with are of its own snapshot, so they are not older.
 */
export function cachedReads(reads: FrequentReads, connection: OwnConnection): () => FrequentReads {
  const caches = newCaches();
  const cached = readsThrough(caches, reads);
  let version: number | null = null;

  connection.onWrites((writes) => {
    for (const write of writes) forgetWritten(caches, write);
  });

  return () => {
    const now = connection.version();
    if (now === null) return reads;
    if (now !== version) for (const cache of Object.values(caches)) cache.clear();
    version = now;
    return cached;
  };
}

/** In characters of JSON: of the values of a cache, and of those of one business. */
const MAX_CHARACTERS = 4_000_000;
const MAX_OF_BUSINESS = 1_000_000;

/** What a business takes in memory beside its values. */
const SIZE_OF_BUSINESS = 2_000;

type Caches = ReturnType<typeof newCaches>;

function newCaches() {
  const sizeOf = (value: object) => JSON.stringify(value).length;
  const total = { maxSize: MAX_CHARACTERS, sizeCalculation: sizeOf };
  const shared = { total: MAX_CHARACTERS, share: MAX_OF_BUSINESS, ofBusiness: SIZE_OF_BUSINESS, sizeOf };
  return {
    businesses: new LRUCache<string, Business>(total), // by id
    keys: new LRUCache<string, PresentedKey>(total), // by digest
    customers: new BusinessCache<CustomerSummary>(shared),
    products: new BusinessCache<ProductSummary>(shared), // by the ids of the product and the variant
    budgets: new BudgetCache(),
  };
}

function readsThrough({ businesses, keys, customers, products, budgets }: Caches, reads: FrequentReads): FrequentReads {
  const cached: FrequentReads = {
    budgetText: reads.budgetText,

    business: (id) =>
      orFind(
        businesses.get(id),
        () => reads.business(id),
        (found) => businesses.set(id, found),
      ),

    presentedKey: (hash) =>
      orFind(
        keys.get(hash),
        () => reads.presentedKey(hash),
        (found) => keys.set(hash, found),
      ),

    customer: (businessId, id) =>
      orFind(
        customers.get(businessId, id),
        () => reads.customer(businessId, id),
        (found) => customers.set(businessId, id, found),
      ),

    product: (businessId, name) => {
      const key = `${name.productId} ${name.variantId ?? ""}`;
      return orFind(
        products.get(businessId, key),
        () => reads.product(businessId, name),
        (found) => products.set(businessId, key, found),
      );
    },

    namedBudget: (businessId, id) => {
      const known = budgets.get(businessId, id);
      if (known !== undefined) return known;
      const text = reads.budgetText(businessId, id);
      if (text === null) return null;
      const found = withNames(text, cached);
      if (budgets.noteRead(found.budget)) budgets.set(found.budget, found, text.length);
      return found;
    },
  };
  return cached;
}

function orFind<V>(known: V | undefined, find: () => V | null, cache: (found: V) => unknown): V | null {
  if (known !== undefined) return known;
  const found = find();
  if (found !== null) cache(found);
  return found;
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
