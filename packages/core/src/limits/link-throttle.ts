import { HOUR_MS, type Instant, MINUTE_MS } from "../kernel/clock.js";
import { canonicalAddress, canonicalRange } from "../kernel/ip-allow-list.js";
import { sha256Hex } from "../kernel/secret-box.js";
import type { RateLimitStore, Window } from "./rate-limit-store.js";
import { type LimitRefusal, refusalOf } from "./rate-limiter.js";

/** A request to a public link. */
export interface LinkRequest {
  readonly token: string; // as sent; it need not belong to a budget
  readonly clientAddress: string | null; // null = unknown
  readonly now: Instant;
}

/** A view of the page is two or three requests. A network may be a whole office; it alone cannot fill a link's limit. */
const OF_NETWORK: readonly Window[] = [
  { lengthMs: HOUR_MS, limit: 6_000 },
  { lengthMs: MINUTE_MS, limit: 600 },
];
const OF_LINK: readonly Window[] = [
  { lengthMs: HOUR_MS, limit: 12_000 },
  { lengthMs: MINUTE_MS, limit: 1_200 },
];
const IPV4_BITS = 32;
const IPV6_BITS = 56;

/** Hexadecimal digits of the digest that tell links apart: invented tokens make at most 65,536 subjects. */
const LINK_DIGITS = 4;

/**
 * Charges one request to the network of the client, and then to the link. A request that the network's limit refuses does
 * not fill the link's. Without an address only the link counts. @returns null = admitted.
 */
export async function admitLinkRequest(
  store: RateLimitStore,
  { token, clientAddress, now }: LinkRequest,
): Promise<LimitRefusal | null> {
  const network = networkOf(clientAddress);
  const consume = async (subject: string, windows: readonly Window[]) =>
    refusalOf(await store.consume(subject, windows, now), windows, now);
  const refusal = network === null ? null : await consume(`link:network:${sha256Hex(network)}`, OF_NETWORK);
  return refusal ?? consume(`link:token:${sha256Hex(token).slice(0, LINK_DIGITS)}`, OF_LINK);
}

/** Null for an unknown or malformed address. */
function networkOf(clientAddress: string | null): string | null {
  const address = clientAddress === null ? null : canonicalAddress(clientAddress);
  return address === null ? null : canonicalRange(`${address}/${address.includes(":") ? IPV6_BITS : IPV4_BITS}`);
}
