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

const OWN_TAG = /^"v([1-9]\d{0,15})(?:-[0-9a-f]{8})?"$/;

/**
 * The versions in If-Match; null = absent or `*`: any version matches. Weak, foreign and malformed tags match no
 * version. Source: RFC 9110, 13.1.1.
 */
export function readIfMatch(header: string | null): number[] | null {
  if (header === null || header.trim() === "*") return null;
  return header.split(",").flatMap((tag) => {
    const version = OWN_TAG.exec(tag.trim())?.[1];
    return version === undefined ? [] : [Number(version)];
  });
}

/** True when If-None-Match has this ETag, by weak comparison. Source: RFC 9110, 13.1.2. */
export function isUnmodified(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(",").some((tag) => {
    const candidate = tag.trim();
    return candidate === "*" || candidate === etag || candidate === `W/${etag}`;
  });
}
