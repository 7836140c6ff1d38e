/** What the address of the screen says, read from text that anybody may have typed. */
export type CustomersSearch = Record<never, never>;

export function readCustomersSearch(_search: Record<string, unknown>): CustomersSearch {
  return {};
}
