import { crc32 } from "node:zlib";

/** The ETag of a version. Source: RFC 9110, 8.8.3. */
export function versionTagOf(version: number): string {
  return `"v${version}"`;
}

const CHECKSUM_DIGITS = 8;

/**
 * The ETag of a read: version and checksum of the body. The body also shows customers and products, which change without
 * a new version. If-Match compares the version alone.
 */
export function readTagOf(version: number, body: string): string {
  return `"v${version}-${crc32(body).toString(16).padStart(CHECKSUM_DIGITS, "0")}"`;
}

/**
 * Proxies that compress a response change its ETag, and clients send that one back: nginx, Cloudflare and Hono's
 * `compress()` write `W/"v3"`, Apache and Caddy `"v3-gzip"`, `"v3-br"` or `"v3-zstd"`, Jetty `"v3--gzip"`. Each still
 * names the same version.
 */
const REWRITTEN = /^(?:W\/)?("[^"]*?)(?:--?(?:gzip|br|zstd|deflate))*"$/;

/** The tag before proxies have rewritten it; malformed text stays as it is. */
function originalTag(tag: string): string {
  const original = REWRITTEN.exec(tag)?.[1];
  return original === undefined ? tag : `${original}"`;
}

const OWN_TAG = /^"v([1-9]\d{0,15})(?:-[0-9a-f]{8})?"$/;

/**
 * The versions in If-Match; null = absent or `*`: any version matches. Foreign and malformed tags match no version. Weak
 * tags match, unlike in RFC 9110, 13.1.1: only proxies weaken the tags of the service.
 */
export function readIfMatch(header: string | null): number[] | null {
  if (header === null || header.trim() === "*") return null;
  return header.split(",").flatMap((tag) => {
    const version = OWN_TAG.exec(originalTag(tag.trim()))?.[1];
    return version === undefined ? [] : [Number(version)];
  });
}

/**
 * True when If-None-Match has this ETag, by weak comparison, also as a proxy has rewritten it. A response that the service
 * compresses itself (`isOwnCoding`) has another ETag for each coding, so only weakened ones match. Source: RFC 9110, 13.1.2.
 */
export function isUnmodified(header: string | null, etag: string, isOwnCoding = false): boolean {
  if (header === null) return false;
  return header.split(",").some((tag) => {
    const candidate = tag.trim();
    if (candidate === "*" || candidate === etag || candidate === `W/${etag}`) return true;
    return !isOwnCoding && originalTag(candidate) === etag;
  });
}
