import type { BudgetEntry, Customer, Product } from "@budgetkit/client";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useMay } from "../../session/use-session.js";
import { api } from "../../start/api.js";

export interface Found {
  readonly budgets: readonly BudgetEntry[];
  readonly customers: readonly Customer[];
  readonly products: readonly Product[];
  readonly isFetching: boolean;
}

const SHORTEST = 2;
const MOST_BUDGETS = 6;
const MOST_RECORDS = 4;
const CUSTOMERS_WITH_BUDGETS = 2;
const FRESH_MS = 30_000;

/**
 * What a text finds: budgets by number, lines and notes, and those of the customers that it finds. A search that is
 * typed over is aborted: its query has no observer any more.
 */
export function useFound(search: string): Found {
  const may = useMay();
  const isLong = search.length >= SHORTEST;
  const mayReadBudgets = isLong && may("READ_BUDGETS");
  const records = { limit: MOST_RECORDS, search, sort: "name", order: "asc" } as const;
  const byText = useQuery({
    queryKey: ["budgets", "palette", search],
    staleTime: FRESH_MS,
    enabled: mayReadBudgets,
    queryFn: ({ signal }) => api.budgets.list({ limit: MOST_BUDGETS, search }, { signal }),
  });
  const customers = useQuery({
    queryKey: ["customers", "palette", search],
    staleTime: FRESH_MS,
    enabled: isLong && may("READ_CUSTOMERS"),
    queryFn: ({ signal }) => api.customers.list(records, { signal }),
  });
  const products = useQuery({
    queryKey: ["products", "palette", search],
    staleTime: FRESH_MS,
    enabled: isLong && may("READ_PRODUCTS"),
    queryFn: ({ signal }) => api.products.list(records, { signal }),
  });
  const found = customers.data?.data ?? [];
  const ofCustomers = useQueries({
    queries: found.slice(0, mayReadBudgets ? CUSTOMERS_WITH_BUDGETS : 0).map(({ id: customerId }) => ({
      queryKey: ["budgets", "palette", "customer", customerId],
      staleTime: FRESH_MS,
      queryFn: ({ signal }: { signal: AbortSignal }) => api.budgets.list({ limit: 3, customerId }, { signal }),
    })),
  });
  const budgets = [...ofCustomers.flatMap(({ data }) => data?.data ?? []), ...(byText.data?.data ?? [])];
  return {
    budgets: [...new Map(budgets.map((budget) => [budget.id, budget])).values()].slice(0, MOST_BUDGETS),
    customers: found,
    products: products.data?.data ?? [],
    isFetching: [byText, customers, products, ...ofCustomers].some(({ isFetching }) => isFetching),
  };
}
