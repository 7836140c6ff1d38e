import ipaddr from "ipaddr.js";
import { HTTP_URL } from "./fields.js";

const MAX_URL_LENGTH = 2_048;
const LOCALHOST = /(?:^|\.)localhost\.*$/;
/** Azure's metadata service uses this public address. */
const PUBLIC_METADATA = "168.63.129.16";
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Checks whether callbacks may go to `url`: null = yes, else the reason as a message for the client.
 *
 * Only the text is checked; host names are not resolved. Without `allowPrivate` a literal address must be public, in
 * every notation that the URL standard accepts, and a host name must not be one of localhost.
 */
export function checkDestinationUrl(url: string, allowPrivate: boolean): string | null {
  if (url.length > MAX_URL_LENGTH) return `The URL must have at most ${MAX_URL_LENGTH} characters.`;
  if (!HTTP_URL.test(url) || !URL.canParse(url)) return "This must be an http or https URL.";
  const { username, password, hostname } = new URL(url);
  if (username !== "" || password !== "") return "The URL must not carry credentials.";
  if (allowPrivate || isPublicHost(hostname)) return null;
  return "The URL must lead to a public address.";
}

/** True for an IP address, in any notation of a resolver, that is reachable on the public internet. */
export function isPublic(address: string): boolean {
  return ipaddr.isValid(address) && isPublicAddress(ipaddr.parse(address));
}

/** `hostname` has the format of the URL standard: IPv4 in four decimals, IPv6 in brackets, names in lower-case ASCII. */
function isPublicHost(hostname: string): boolean {
  if (hostname.startsWith("[")) return isPublicAddress(ipaddr.parse(hostname.slice(1, -1)));
  if (ipaddr.IPv4.isValidFourPartDecimal(hostname)) return isPublicAddress(ipaddr.parse(hostname));
  return !LOCALHOST.test(hostname);
}

function isPublicAddress(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address instanceof ipaddr.IPv6) return isPublicIPv6(address);
  return address.range() === "unicast" && address.toString() !== PUBLIC_METADATA;
}

/**
 * An IPv4-mapped address counts as its IPv4 address (RFC 4291, 2.5.5.2). All other forms that contain an IPv4 address
 * (compatible, NAT64, 6to4, Teredo) are refused, and so is everything that is not global unicast.
 */
function isPublicIPv6(address: ipaddr.IPv6): boolean {
  if (address.isIPv4MappedAddress()) return isPublicAddress(address.toIPv4Address());
  return address.range() === "unicast" && address.match(GLOBAL_UNICAST);
}
