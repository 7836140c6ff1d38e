import { promises as dns, type LookupAddress } from "node:dns";
import { isIP } from "node:net";
import { isAllowed } from "../access/ip-allow-list.js";
import { checkDestinationUrl, isPublic } from "./destination-guard.js";

/** Gives every address of a name, the preferred one first; rejects when it has none. */
export type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>;

/** What limits where a call may go. */
export interface DestinationRules {
  readonly allowPrivate: boolean;
  readonly allowedIps: readonly string[] | null; // canonical addresses and ranges; null = any that is public
}

/** Addresses that may be connected to, or why none may, in words for whoever reads the attempt. */
export type ResolvedDestination =
  | { readonly kind: "resolved"; readonly addresses: readonly LookupAddress[] }
  | { readonly kind: "refused"; readonly reason: string };

/** The resolver of the machine, hosts file included; IPv4 first, since not every machine reaches IPv6. */
export const resolveBySystem: ResolveName = (hostname) => dns.lookup(hostname, { all: true, order: "ipv4first" });

/**
 * Judges where a URL leads now. A name that has a forbidden address among its addresses is refused whole: such a
 * name changes its mind. Whoever connects must connect to what is given here and not resolve again.
 */
export async function resolveDestination(
  url: string,
  { allowPrivate, allowedIps }: DestinationRules,
  resolveName: ResolveName,
): Promise<ResolvedDestination> {
  const objection = checkDestinationUrl(url, allowPrivate);
  if (objection !== null) return refused(objection);
  const addresses = await addressesOf(new URL(url).hostname, resolveName);
  if (addresses === null) return refused("The name of the host cannot be resolved.");
  if (!allowPrivate && !addresses.every(({ address }) => isPublic(address))) {
    return refused("The name of the host leads to an address that is not public.");
  }
  const allowed = addresses.filter(({ address }) => isAllowed(address, allowedIps));
  return allowed.length > 0 ? { kind: "resolved", addresses: allowed } : refused(NOT_ALLOWED);
}

const NOT_ALLOWED = "The host has none of the addresses that are allowed for this endpoint.";

/** null = the name has none. An address that is written out stands for itself. */
async function addressesOf(hostname: string, resolveName: ResolveName): Promise<readonly LookupAddress[] | null> {
  const literal = hostname.replace(/^\[(.*)\]$/, "$1");
  const family = isIP(literal);
  if (family !== 0) return [{ address: literal, family }];
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
