import { HOUR_MS, type Instant } from "../kernel/clock.js";
import { sha256Hex } from "../kernel/secret-box.js";
import type { RateLimitStore, Window } from "./rate-limit-store.js";
import { type LimitRefusal, refusalOf } from "./rate-limiter.js";

const PER_ADDRESS: Window = { lengthMs: HOUR_MS, limit: 5 };
const PER_BUSINESS: Window = { lengthMs: HOUR_MS, limit: 100 };

/**
 * Charges an invitation to its address and then to the business, refused or not: mails do not flood an address, and few
 * guesses find out who is a user of another business. Null = admitted.
 */
export async function admitInvitation(
  store: RateLimitStore,
  { businessId, emailKey }: { readonly businessId: string; readonly emailKey: string },
  now: Instant,
): Promise<LimitRefusal | null> {
  const consume = async (subject: string, window: Window) =>
    refusalOf(await store.consume(subject, [window], now), [window], now);
  const refusal = await consume(`invitation:address:${businessId}:${sha256Hex(emailKey)}`, PER_ADDRESS);
  return refusal ?? consume(`invitation:business:${businessId}`, PER_BUSINESS);
}
