import { promises as dns, type LookupAddress } from "node:dns";
import { isIP } from "node:net";
import { checkDestinationUrl, isPublic } from "../../kernel/destination-guard.js";
import { isAllowed } from "../../kernel/ip-allow-list.js";
import { memoize } from "../../kernel/memoize.js";

/** All addresses of a name, the preferred one first; rejects or returns none for an unknown name. */
export type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface DestinationRules {
  readonly allowPrivate: boolean;
  readonly allowedIps: readonly string[] | null; // canonical addresses and ranges; null = any public address
}

/** The addresses to connect to, or the reason of a refusal, which is shown with the attempt. */
export type ResolvedDestination =
  | {
      readonly kind: "resolved";
      readonly addresses: readonly LookupAddress[];
      readonly origin: string;
      readonly path: string; // with the query
    }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * The system resolver, including the hosts file; IPv4 first, since not every machine has IPv6. Each lookup occupies one of
 * the few threads of the process's pool, so names that never resolve delay files and hashes.
 */
export const resolveBySystem: ResolveName = (hostname) => dns.lookup(hostname, { all: true, order: "ipv4first" });

/** Queries DNS without a thread, so that a slow name delays nothing else. */
export type DnsResolver = Pick<dns.Resolver, "resolve4" | "resolve6">;

const QUERY_TIMEOUT_MS = 3_000;

/** DNS only, IPv4 first: names given by clients must not resolve by the hosts file. */
export function resolveByDns(
  resolver: DnsResolver = new dns.Resolver({ timeout: QUERY_TIMEOUT_MS, tries: 2 }),
): ResolveName {
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return [...addressesIn(v4, 4), ...addressesIn(v6, 6)];
  };
}

function addressesIn(result: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return result.status === "fulfilled" ? result.value.map((address) => ({ address, family })) : [];
}

/**
 * Resolves and checks the destination of a URL. A name with any forbidden address is refused, because its next lookup may
 * return that address. The caller must connect to the returned addresses and not resolve the name again.
 */
export async function resolveDestination(
  url: string,
  { allowPrivate, allowedIps }: DestinationRules,
  resolveName: ResolveName,
): Promise<ResolvedDestination> {
  const destination = (allowPrivate ? readAny : readPublic)(url);
  if (typeof destination === "string") return refused(destination);
  const { hostname, literal, origin, path } = destination;
  const addresses = literal ?? (await addressesOf(hostname, resolveName));
  if (addresses === null) return refused("The name of the host cannot be resolved.");
  if (!allowPrivate && !addresses.every(({ address }) => isPublic(address))) {
    return refused("The name of the host leads to an address that is not public.");
  }
  const allowed = allowedIps === null ? addresses : addresses.filter(({ address }) => isAllowed(address, allowedIps));
  return allowed.length > 0 ? { kind: "resolved", addresses: allowed, origin, path } : refused(NOT_ALLOWED);
}

const NOT_ALLOWED = "The host has none of the addresses that are allowed for this endpoint.";

interface Destination {
  readonly hostname: string;
  readonly literal: readonly LookupAddress[] | null; // the address in the URL; null = a name
  readonly origin: string;
  readonly path: string;
}

/** The parts of a URL, or the reason of a refusal. Cached: every call of an endpoint parses the same URL. */
const readPublic = memoize((url): Destination | string => checkDestinationUrl(url, false) ?? partsOf(new URL(url)));
const readAny = memoize((url): Destination | string => checkDestinationUrl(url, true) ?? partsOf(new URL(url)));

function partsOf({ hostname, origin, pathname, search }: URL): Destination {
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  const family = isIP(address);
  return { hostname, literal: family === 0 ? null : [{ address, family }], origin, path: pathname + search };
}

/** null = the name has no address. */
async function addressesOf(hostname: string, resolveName: ResolveName): Promise<readonly LookupAddress[] | null> {
  try {
    const addresses = await resolveName(hostname);
    return addresses.length > 0 ? addresses : null;
  } catch {
    return null;
  }
}

function refused(reason: string): ResolvedDestination {
  return { kind: "refused", reason };
}
