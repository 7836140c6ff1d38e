/** What the address of the screen says, read from text that anybody may have typed. */
export type EventsSearch = Record<never, never>;

export function readEventsSearch(_search: Record<string, unknown>): EventsSearch {
  return {};
}
