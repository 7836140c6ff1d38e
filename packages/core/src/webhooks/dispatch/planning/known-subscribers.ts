import { LRUCache } from "lru-cache";
import type { Subscribers } from "../../webhook-store.js";

/** Events of a business with more subscribers wait for their fan-out, so that their commits stay short. */
const MAX_SUBSCRIBERS = 16;

const MAX_BUSINESSES = 1_000;

/** The subscribers of businesses, as fan-outs have found them. Each commit checks that they are still the same. */
export interface KnownSubscribers {
  /** Undefined = unknown. */
  find(businessId: string): Subscribers | undefined;
  /**
   * Called before subscribers are read. The result remembers what was read, unless all were forgotten meanwhile: the read
   * may have seen commits that the store has lost since.
   */
  beginRead(): Remember;
  /** Until the next fan-out of the business. Keeps subscribers that were found since these. */
  forget(businessId: string, subscribers: Subscribers): void;
  forgetAll(): void;
}

export type Remember = (businessId: string, subscribers: Subscribers) => void;

export function createKnownSubscribers(): KnownSubscribers {
  const known = new LRUCache<string, Subscribers>({ max: MAX_BUSINESSES });
  let timesForgotten = 0;
  return {
    find: (businessId) => known.get(businessId),
    beginRead: () => {
      const begun = timesForgotten;
      return (businessId, subscribers) => {
        if (timesForgotten !== begun) return;
        if (subscribers.endpoints.length + subscribers.keys.length > MAX_SUBSCRIBERS) known.delete(businessId);
        else known.set(businessId, subscribers);
      };
    },
    forget: (businessId, subscribers) => {
      if (known.get(businessId) === subscribers) known.delete(businessId);
    },
    forgetAll: () => {
      timesForgotten += 1;
      known.clear();
    },
  };
}
