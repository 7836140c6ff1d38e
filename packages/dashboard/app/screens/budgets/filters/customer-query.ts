import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../start/api.js";

const MOST_FOUND = 8;

export const customerQuery = (customerId: string) =>
  queryOptions({
    queryKey: ["customers", "one", customerId],
    staleTime: 60_000,
    queryFn: ({ signal }) => api.customers.get(customerId, { signal }),
  });

/** The first customers that a text finds, by name; a search that is typed over is aborted. */
export const foundCustomersQuery = (search: string) =>
  queryOptions({
    queryKey: ["customers", "found", search],
    staleTime: 30_000,
    queryFn: ({ signal }) =>
      api.customers.list(
        { limit: MOST_FOUND, sort: "name", order: "asc", ...(search === "" ? {} : { search }) },
        { signal },
      ),
  });
