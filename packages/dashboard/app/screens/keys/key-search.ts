import { type DeliverySearch, readDeliverySearch } from "../deliveries/delivery-search.js";
import { readUsageSearch, type UsageSearch } from "../usage/usage-search.js";

/** What the address of the screen says, read from text that may have been typed. */
export interface KeySearch extends UsageSearch, DeliverySearch {
  readonly tab?: "webhook" | undefined; // absent = usage
}

export function readKeySearch(search: Record<string, unknown>): KeySearch {
  if (search.tab !== "webhook") return readUsageSearch(search);
  return { tab: "webhook", ...readDeliverySearch(search) };
}
