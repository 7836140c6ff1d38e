/** What the address of the screen says, read from text that anybody may have typed. */
export type CatalogSearch = Record<never, never>;

export function readCatalogSearch(_search: Record<string, unknown>): CatalogSearch {
  return {};
}
