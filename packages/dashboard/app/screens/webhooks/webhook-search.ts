import { type DeliverySearch, readDeliverySearch } from "../deliveries/delivery-search.js";

/** What the address of the screen says, read from text that may have been typed. */
export type WebhookSearch = DeliverySearch;

export function readWebhookSearch(search: Record<string, unknown>): WebhookSearch {
  return readDeliverySearch(search);
}
