/** What the address of the screen says, read from text that anybody may have typed. */
export type BusinessSearch = Record<never, never>;

export function readBusinessSearch(_search: Record<string, unknown>): BusinessSearch {
  return {};
}
