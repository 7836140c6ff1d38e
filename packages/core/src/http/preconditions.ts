import { sha256Hex } from "../kernel/digest.js";

/** The tag of a version, for If-Match to name it. Source: RFC 9110, 8.8.3. */
export function versionTagOf(version: number): string {
  return `"v${version}"`;
}

const DIGEST_LENGTH = 8;

/**
 * The tag of a version as it was read. What is read shows customers and products too, which change without the
 * version, so that the body has its say; If-Match goes by the version alone.
 */
export function readTagOf(version: number, body: string): string {
  return `"v${version}-${sha256Hex(body).slice(0, DIGEST_LENGTH)}"`;
}

const OWN_TAG = /^"v([1-9]\d{0,15})(?:-[0-9a-f]{8})?"$/;

/**
 * The versions that If-Match names; null when the header is absent or `*`, which any version fulfils. Weak, foreign
 * and malformed tags name no version, so that a header of nothing else never matches. Source: RFC 9110, 13.1.1.
 */
export function readIfMatch(header: string | null): number[] | null {
  if (header === null || header.trim() === "*") return null;
  return header.split(",").flatMap((tag) => {
    const version = OWN_TAG.exec(tag.trim())?.[1];
    return version === undefined ? [] : [Number(version)];
  });
}

/** True when If-None-Match says that the client has this representation. Source: RFC 9110, 13.1.2: weak comparison. */
export function isUnmodified(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(",").some((tag) => {
    const candidate = tag.trim();
    return candidate === "*" || candidate === etag || candidate === `W/${etag}`;
  });
}
