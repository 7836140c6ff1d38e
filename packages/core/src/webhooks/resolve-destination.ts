import { promises as dns, type LookupAddress } from "node:dns";
import { isIP } from "node:net";
import { isAllowed } from "../access/ip-allow-list.js";
import { checkDestinationUrl, isPublic } from "./destination-guard.js";

/** Gives every address of a name, the preferred one first; rejects, or gives none, when it has none. */
export type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>;

/** What limits where a call may go. */
export interface DestinationRules {
  readonly allowPrivate: boolean;
  readonly allowedIps: readonly string[] | null; // canonical addresses and ranges; null = any that is public
}

/** Addresses that may be connected to, or why none may, in words for whoever reads the attempt. */
export type ResolvedDestination =
  | {
      readonly kind: "resolved";
      readonly addresses: readonly LookupAddress[];
      readonly origin: string;
      readonly path: string; // with the query
    }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * The resolver of the machine, hosts file included; IPv4 first, since not every machine reaches IPv6. It works on a
 * thread of the process's pool, of which there are few: names that are never answered hold up whatever else needs one.
 */
export const resolveBySystem: ResolveName = (hostname) => dns.lookup(hostname, { all: true, order: "ipv4first" });

/** What asks DNS itself, without a thread: whoever makes a name takes his time, and nobody else's. */
export type DnsResolver = Pick<dns.Resolver, "resolve4" | "resolve6">;

const ASKED_AGAIN_AFTER_MS = 3_000;

/** DNS alone, IPv4 first: for names that strangers give, which have no business in the hosts file. */
export function resolveByDns(
  resolver: DnsResolver = new dns.Resolver({ timeout: ASKED_AGAIN_AFTER_MS, tries: 2 }),
): ResolveName {
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return [...addressesIn(v4, 4), ...addressesIn(v6, 6)];
  };
}

function addressesIn(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family })) : [];
}

/**
 * Judges where a URL leads now. A name that has a forbidden address among its addresses is refused whole: such a
 * name changes its mind. Whoever connects must connect to what is given here and not resolve again.
 */
export async function resolveDestination(
  url: string,
  { allowPrivate, allowedIps }: DestinationRules,
  resolveName: ResolveName,
): Promise<ResolvedDestination> {
  const destination = readDestination(url, allowPrivate);
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

/** What can be read off a URL. */
interface Destination {
  readonly hostname: string;
  readonly literal: readonly LookupAddress[] | null; // an address that is written out stands for itself; null = a name
  readonly origin: string;
  readonly path: string;
}

const MAX_READ = 1_000;
const read = new Map<string, Destination | string>();

/** The same text reads the same each time, and an endpoint's is read at every call. A text in place of it objects. */
function readDestination(url: string, allowPrivate: boolean): Destination | string {
  const key = `${allowPrivate} ${url}`;
  const known = read.get(key);
  if (known !== undefined) return known;
  const destination = checkDestinationUrl(url, allowPrivate) ?? partsOf(new URL(url));
  if (read.size === MAX_READ) read.clear();
  read.set(key, destination);
  return destination;
}

function partsOf({ hostname, origin, pathname, search }: URL): Destination {
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  const family = isIP(address);
  return { hostname, literal: family === 0 ? null : [{ address, family }], origin, path: pathname + search };
}

/** null = the name has none. */
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
