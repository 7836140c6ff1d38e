import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { memoize } from "./memoize.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [network: Address, bits: number];

const PREFIX_LENGTH = /^(?:0|[1-9]\d{0,2})$/;
/** IPv6 sockets show an IPv4 address as the last 32 bits of ::ffff:0:0/96. */
const MAPPED_BITS = 96;

/** The canonical form of an address, an IPv4-mapped one as IPv4; null when the text is no address. */
export function canonicalAddress(text: string): string | null {
  return parseAddress(text)?.toString() ?? null;
}

/**
 * The canonical form of an address or a CIDR range: host bits are cleared, IPv4-mapped ranges become IPv4.
 * Null for anything else, and for ambiguous text: `010.0.0.0/8`, `10/8`, `1.2.3`, zones, a mapped address whose prefix
 * is shorter than 96 bits.
 */
export function canonicalRange(text: string): string | null {
  const slash = text.indexOf("/");
  if (slash < 0) return canonicalAddress(text);
  const address = parseAddress(text.slice(0, slash));
  const prefix = text.slice(slash + 1);
  if (address === null || !PREFIX_LENGTH.test(prefix)) return null;
  const wasMapped = address.kind() === "ipv4" && text.includes(":");
  const bits = Number(prefix) - (wasMapped ? MAPPED_BITS : 0);
  if (bits < 0 || bits > address.toByteArray().length * 8) return null;
  return `${familyOf(address).networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`;
}

/**
 * True when the client may use the key. `ranges` are canonical; null = all addresses are allowed.
 * An unknown (null) or invalid address is in no range.
 */
export function isAllowed(address: string | null, ranges: readonly string[] | null): boolean {
  if (ranges === null) return true;
  const client = address === null ? null : parseAddress(address);
  if (client === null) return false;
  return ranges.some((text) => {
    const [network, bits] = readRange(text);
    return client.kind() === network.kind() && client.match(network, bits);
  });
}

const MAX_READ_RANGES = 10_000;

/** Parsing takes fifty times as long as matching, and the same ranges come with every request. */
const readRange = memoize(
  (text): Range => (text.includes("/") ? ipaddr.parseCIDR(text) : singleAddress(text)),
  MAX_READ_RANGES,
);

function singleAddress(text: string): Range {
  const address = ipaddr.parse(text);
  return [address, address.toByteArray().length * 8];
}

function familyOf(address: Address): typeof ipaddr.IPv4 | typeof ipaddr.IPv6 {
  return address.kind() === "ipv4" ? ipaddr.IPv4 : ipaddr.IPv6;
}

/** Zones, and `::1.2.3.4`: IPv6 to the standard, IPv4 to ipaddr.js. */
const AMBIGUOUS = /%|^::\d+\./;

function parseAddress(text: string): Address | null {
  return isIP(text) === 0 || AMBIGUOUS.test(text) ? null : ipaddr.process(text);
}
