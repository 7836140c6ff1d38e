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
      const started = { event: "webhook.replay_started", subjectId: id, limit: 1 } as const;
      const { pagination } = await api.events.list(started, { signal }); // without one, a read would be a 404
      return pagination.total === 0 ? null : api.webhooks.getReplay(id, { signal });
    },
    refetchInterval: ({ state }) => (state.data?.status === "running" ? POLL_MS : false),
  });
