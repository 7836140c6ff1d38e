/** What the address of the screen says, read from text that anybody may have typed. */
export type OverviewSearch = Record<never, never>;

export function readOverviewSearch(_search: Record<string, unknown>): OverviewSearch {
  return {};
}
