/** The validator of a version: strong, since a version has one representation of its content. Source: RFC 9110, 8.8.3. */
export function etagOf(version: number): string {
  return `"v${version}"`;
}

const OWN_TAG = /^"v([1-9]\d{0,15})"$/;

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
