/** What the address of the screen says, read from text that anybody may have typed. */
export type UsageSearch = Record<never, never>;

export function readUsageSearch(_search: Record<string, unknown>): UsageSearch {
  return {};
}
