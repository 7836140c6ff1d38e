import { type RecordsSearch, readRecordsSearch } from "../records/records-search.js";

/** What the address of the screen says, read from text that may have been typed. */
export type CustomersSearch = RecordsSearch;

export function readCustomersSearch(search: Record<string, unknown>): CustomersSearch {
  return readRecordsSearch(search);
}
