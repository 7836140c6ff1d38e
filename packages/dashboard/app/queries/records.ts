import type { CursorPage, Customer, ListRecordsQuery, Package, Product } from "@budgetkit/client";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api } from "../start/api.js";

export interface RecordsFilter {
  readonly search: string; // empty = all
  readonly withDeleted: boolean;
  readonly sort: "createdAt" | "name";
}

interface PageOptions {
  readonly signal: AbortSignal;
}

type ReadPage<V> = (query: ListRecordsQuery, options: PageOptions) => PromiseLike<CursorPage<V>>;

const PAGE_SIZE = 50;

export const customersQuery = (filter: RecordsFilter) =>
  listQuery<Customer>("customers", filter, (query, options) => api.customers.list(query, options));
export const productsQuery = (filter: RecordsFilter) =>
  listQuery<Product>("products", filter, (query, options) => api.products.list(query, options));
export const packagesQuery = (filter: RecordsFilter) =>
  listQuery<Package>("packages", filter, (query, options) => api.packages.list(query, options));

export const customerQuery = (customerId: string) =>
  queryOptions({
    queryKey: ["customers", "one", customerId],
    staleTime: 60_000,
    queryFn: ({ signal }) => api.customers.get(customerId, { signal }),
  });

export const productQuery = (productId: string) =>
  queryOptions({
    queryKey: ["products", "one", productId],
    staleTime: 60_000,
    queryFn: ({ signal }) => api.products.get(productId, { signal }),
  });

export const customerBudgetsQuery = (customerId: string) =>
  infiniteQueryOptions({
    queryKey: ["budgets", "customer", customerId],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => api.budgets.list({ customerId, ...pageOf(pageParam, 100) }, { signal }),
    getNextPageParam: ({ pagination }) => pagination.nextCursor,
  });

function listQuery<V>(kind: string, filter: RecordsFilter, read: ReadPage<V>) {
  const { search, withDeleted, sort } = filter;
  const query = {
    sort,
    order: sort === "name" ? "asc" : "desc",
    ...(search === "" ? {} : { search }),
    ...(withDeleted ? { includeDeleted: true } : {}),
  } as const;
  return infiniteQueryOptions({
    queryKey: [kind, "list", filter],
    initialPageParam: "",
    queryFn: async ({ pageParam, signal }) => read({ ...query, ...pageOf(pageParam, PAGE_SIZE) }, { signal }),
    getNextPageParam: ({ pagination }) => pagination.nextCursor,
  });
}

/** The empty cursor is the beginning. */
function pageOf(cursor: string, limit: number): { readonly limit: number; readonly cursor?: string } {
  return cursor === "" ? { limit } : { limit, cursor };
}
