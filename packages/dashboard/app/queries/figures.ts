import { queryOptions } from "@tanstack/react-query";
import { api } from "../start/api.js";
import type { Period } from "./keys.js";

/** Figures of requests, keys, webhooks and budgets of a period that ends now. */
export const figuresOf = (period: Period) =>
  queryOptions({
    queryKey: ["figures", period],
    staleTime: 60_000,
    queryFn: ({ signal }) => api.usage.dashboard({ period }, { signal }),
  });

/** Those of the last seven days. */
export const figuresQuery = figuresOf("7d");
