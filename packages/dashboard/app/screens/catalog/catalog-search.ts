import { type RecordsSearch, readRecordsSearch } from "../records/records-search.js";

/** What the address of the screen says, read from text that may have been typed. */
export interface CatalogSearch extends RecordsSearch {
  readonly tab?: "products" | "packages"; // absent = products
}

export function readCatalogSearch(search: Record<string, unknown>): CatalogSearch {
  const { tab } = search;
  return { ...(tab === "products" || tab === "packages" ? { tab } : {}), ...readRecordsSearch(search) };
}
