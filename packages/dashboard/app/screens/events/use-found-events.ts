import type { BusinessEvent } from "@budgetkit/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { eventsQuery } from "../../queries/events.js";
import { exactType, isSearchedHere, meets } from "./event-filter.js";
import type { EventsSearch } from "./events-search.js";

/** A search goes on by itself until it found so many, or looked at so many pages. */
const ENOUGH = 25;
const PAGES_AT_ONCE = 5;

/** The entries that meet the filters: the service looks for most of them, groups and actors are looked for here. */
export function useFoundEvents(search: EventsSearch) {
  const query = useInfiniteQuery(
    eventsQuery({
      event: exactType(search),
      subjectId: search.subject,
      since: search.since,
      until: search.until,
    }),
  );
  const { data, hasNextPage, isFetching, fetchNextPage } = query;
  const pages = data?.pages ?? [];
  const found = new Map<string, BusinessEvent>();
  for (const { entries } of pages) for (const entry of entries) if (meets(search, entry)) found.set(entry.id, entry);
  const looked = pages.reduce((sum, { entries }) => sum + entries.length, 0);
  const isOpen = isSearchedHere(search) && hasNextPage && !isFetching && found.size < ENOUGH;
  const goesOn = isOpen && pages.length % PAGES_AT_ONCE !== 0;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  return { ...query, found: [...found.values()], looked, total: pages[0]?.total ?? 0 };
}
