import type { StatisticsQuery } from "@budgetkit/client";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../start/api.js";
import { allOf } from "./all-of.js";

export type Period = NonNullable<StatisticsQuery["period"]>;

/** All keys: a business has at most a thousand. */
export const keysQuery = queryOptions({
  queryKey: ["keys", "list"],
  queryFn: ({ signal }) => allOf(api.keys.each({}, { signal })),
});

export const keyQuery = (id: string) =>
  queryOptions({ queryKey: ["keys", "key", id], queryFn: ({ signal }) => api.keys.get(id, { signal }) });

export const keyUsageQuery = (id: string, period: Period) =>
  queryOptions({
    queryKey: ["keys", "usage", id, period],
    queryFn: ({ signal }) => api.usage.statistics(id, { period }, { signal }),
  });
