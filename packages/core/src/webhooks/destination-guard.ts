import ipaddr from "ipaddr.js";

const MAX_URL_LENGTH = 2_048;
const HTTP_URL = /^https?:\/\/[^\s\\]+$/i;
const LOCALHOST = /(?:^|\.)localhost\.*$/;
/** Azure's host agent answers here: a metadata address in the midst of public ones. */
const PUBLIC_METADATA = "168.63.129.16";
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether callbacks may be sent to `url`: null when they may, else the reason in words for whoever typed it.
 *
 * Only what can be read off the text is judged: names are not resolved. Unless `allowPrivate`, literal addresses must
 * be public, in whatever notation the URL standard reads them, and names must not be those of this machine.
 */
export function checkDestinationUrl(url: string, allowPrivate: boolean): string | null {
  if (url.length > MAX_URL_LENGTH) return `The URL must have at most ${MAX_URL_LENGTH} characters.`;
  if (!HTTP_URL.test(url) || !URL.canParse(url)) return "This must be an http or https URL.";
  const { username, password, hostname } = new URL(url);
  if (username !== "" || password !== "") return "The URL must not carry credentials.";
  if (allowPrivate || isPublicHost(hostname)) return null;
  return "The URL must lead to a public address.";
}

/** True for an address, in whatever notation the resolver gives it, that anybody on the internet may be called at. */
export function isPublic(address: string): boolean {
  return ipaddr.isValid(address) && isPublicAddress(ipaddr.parse(address));
}

/** `hostname` as the URL standard writes it: IPv4 in four decimals, IPv6 in brackets, names in lower-case ASCII. */
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
 * An IPv4-mapped address is the IPv4 address (RFC 4291, 2.5.5.2). Every other form that carries an IPv4 address within
 * it (compatible, NAT64, 6to4, Teredo) is refused whatever it carries, as is all that is not global unicast.
 */
function isPublicIPv6(address: ipaddr.IPv6): boolean {
  if (address.isIPv4MappedAddress()) return isPublicAddress(address.toIPv4Address());
  return address.range() === "unicast" && address.match(GLOBAL_UNICAST);
}
