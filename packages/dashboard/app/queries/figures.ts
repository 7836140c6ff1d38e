import { queryOptions } from "@tanstack/react-query";
import { api } from "../start/api.js";

/** Figures of requests, keys, webhooks and budgets of the last seven days. */
export const figuresQuery = queryOptions({
  queryKey: ["figures", "7d"],
  staleTime: 60_000,
  queryFn: ({ signal }) => api.usage.dashboard({ period: "7d" }, { signal }),
});
