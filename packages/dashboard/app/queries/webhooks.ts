import { BudgetkitError } from "@budgetkit/client";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../start/api.js";
import { allOf } from "./all-of.js";

const POLL_MS = 1_000;

/** All endpoints: a business has at most a hundred. */
export const webhooksQuery = queryOptions({
  queryKey: ["webhooks", "list"],
  queryFn: ({ signal }) => allOf(api.webhooks.each({}, { signal })),
});

export const webhookQuery = (id: string) =>
  queryOptions({ queryKey: ["webhooks", "webhook", id], queryFn: ({ signal }) => api.webhooks.get(id, { signal }) });

/** The last replay, asked again while it runs; null = there was none. */
export const replayQuery = (id: string) =>
  queryOptions({
    queryKey: ["webhooks", "replay", id],
    queryFn: async ({ signal }) => {
      try {
        return await api.webhooks.getReplay(id, { signal });
      } catch (error) {
        if (error instanceof BudgetkitError && error.status === 404) return null;
        throw error;
      }
    },
    refetchInterval: ({ state }) => (state.data?.status === "running" ? POLL_MS : false),
  });
