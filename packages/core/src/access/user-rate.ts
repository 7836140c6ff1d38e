import type { AccessStore } from "./access-store.js";
import { TIER_RATES } from "./business.js";

/**
 * Requests an hour of each user: the rate that a key of the business has by default. A host may resolve a user of a
 * business that the service does not know, which has nothing to read: it gets the lowest rate.
 */
export async function userRatePerHour(store: Pick<AccessStore, "findBusiness">, businessId: string): Promise<number> {
  const business = await store.findBusiness(businessId);
  return TIER_RATES[business?.tier ?? "STANDARD"].defaultPerHour;
}
