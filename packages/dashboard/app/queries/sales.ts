import { queryOptions } from "@tanstack/react-query";
import { api } from "../start/api.js";

/** What became of the budgets that were sent in these weeks, the present one included, and what is open now. */
export const salesQuery = (weeks: number) =>
  queryOptions({
    queryKey: ["sales", weeks],
    staleTime: 60_000,
    queryFn: ({ signal }) => api.usage.sales({ weeks }, { signal }),
  });
