import type { BusinessEvent, ListEventsQuery } from "@budgetkit/client";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { api } from "../start/api.js";

const PAGE_SIZE = 100;

export interface EventPage {
  readonly entries: readonly BusinessEvent[];
  readonly total: number;
  readonly next: number | null;
}

/** Entries of the ledger, newest first. Pages move while entries are added: the screen shows each entry once. */
export const eventsQuery = (query: Omit<ListEventsQuery, "page" | "limit">) =>
  infiniteQueryOptions({
    queryKey: ["events", "list", query],
    initialPageParam: 1,
    queryFn: async ({ signal, pageParam }): Promise<EventPage> => {
      const { data, pagination } = await api.events.list({ ...query, page: pageParam, limit: PAGE_SIZE }, { signal });
      return { entries: data, total: pagination.total, next: pagination.hasMore ? pageParam + 1 : null };
    },
    getNextPageParam: ({ next }) => next,
  });
