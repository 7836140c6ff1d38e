import { HOUR_MS, type Instant, MINUTE_MS } from "../kernel/clock.js";
import { canonicalAddress, canonicalRange } from "../kernel/ip-allow-list.js";
import { sha256Hex } from "../kernel/secret-box.js";
import type { RateLimitStore, Window } from "./rate-limit-store.js";
import { type LimitRefusal, refusalOf } from "./rate-limiter.js";

/** A request to a public link. */
export interface LinkRequest {
  readonly kind: "read" | "answer" | "reminders"; // the last ends or resumes them
  readonly token: string; // as sent; it need not belong to a budget
  readonly clientAddress: string | null; // null = unknown
  readonly now: Instant;
  /** Whether the token belongs to a budget. */
  readonly isLink: () => Promise<boolean>;
}

/** An IPv4 address; an IPv6 /56, and the /48 around it, which may hold 256 of them. The narrowest first. */
const RANGES = [
  { ipv4: 32, ipv6: 56, windows: windowsOf(600) },
  { ipv4: null, ipv6: 48, windows: windowsOf(3_000) },
] as const;
const READS_OF_LINK = windowsOf(1_200);
const ANSWERS_OF_LINK = windowsOf(60); // of one network

/**
 * Charges one request. A view of the page is two or three reads, and a network may be a whole office.
 *
 * - A read is charged to the network of the client, and then to the link, so that one network cannot fill the limit of a
 *   link. Several networks of someone who has the link can, which refuses reads of this link alone.
 * - An answer is charged to the link in the client's network alone, and then to the answers of this network. No read, and
 *   no client elsewhere, can refuse it.
 * - What concerns reminders is charged to the network alone.
 * - A token that belongs to no budget is charged as a read of the network alone: invented tokens make no subjects, and
 *   none can be aimed at a link.
 *
 * Without an address there is no network: all such clients share the limit of a link, and of answers to it.
 * @returns null = admitted.
 */
export async function admitLinkRequest(store: RateLimitStore, request: LinkRequest): Promise<LimitRefusal | null> {
  const { kind, token, now } = request;
  const networks = networksOf(request.clientAddress);
  switch (kind) {
    case "read": {
      const refusal = await refuseByNetworks(store, "link:network", networks, now);
      if (refusal !== null || !(await request.isLink())) return refusal;
      return consume(store, `link:token:${sha256Hex(token)}`, READS_OF_LINK, now);
    }
    case "answer": {
      if (!(await request.isLink())) return refuseByNetworks(store, "link:network", networks, now);
      const pair = sha256Hex(`${networks[0]?.range ?? ""}\n${token}`);
      const refusal = await consume(store, `link:answer:${pair}`, ANSWERS_OF_LINK, now);
      return refusal ?? refuseByNetworks(store, "link:answers", networks, now);
    }
    case "reminders":
      return refuseByNetworks(store, "link:network", networks, now);
  }
}

/** Of requests a minute; ten times as many an hour. */
function windowsOf(perMinute: number): readonly Window[] {
  return [
    { lengthMs: HOUR_MS, limit: 10 * perMinute },
    { lengthMs: MINUTE_MS, limit: perMinute },
  ];
}

interface Network {
  readonly range: string; // canonical CIDR
  readonly windows: readonly Window[];
}

/** What the narrow network refuses does not fill the wide one. */
async function refuseByNetworks(
  store: RateLimitStore,
  kind: "link:network" | "link:answers",
  networks: readonly Network[],
  now: Instant,
): Promise<LimitRefusal | null> {
  for (const { range, windows } of networks) {
    const refusal = await consume(store, `${kind}:${sha256Hex(range)}`, windows, now);
    if (refusal !== null) return refusal;
  }
  return null;
}

async function consume(
  store: RateLimitStore,
  subject: string,
  windows: readonly Window[],
  now: Instant,
): Promise<LimitRefusal | null> {
  return refusalOf(await store.consume(subject, windows, now), windows, now);
}

/** Empty for an unknown or malformed address. */
function networksOf(clientAddress: string | null): readonly Network[] {
  const address = clientAddress === null ? null : canonicalAddress(clientAddress);
  if (address === null) return [];
  return RANGES.flatMap(({ ipv4, ipv6, windows }) => {
    const bits = address.includes(":") ? ipv6 : ipv4;
    const range = bits === null ? null : canonicalRange(`${address}/${bits}`);
    return range === null ? [] : [{ range, windows }];
  });
}
