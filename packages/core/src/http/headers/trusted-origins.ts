import type { ApiRequest } from "../message.js";

/** The origin as browsers send it; null for a text that is no http or https origin, such as one with a path or a wildcard. */
export function canonicalOrigin(text: string): string | null {
  if (!/^https?:\/\/[^/?#@*\s]+\/?$/i.test(text) || !URL.canParse(text)) return null;
  return new URL(text).origin;
}

/** The trusted origin that the request names; null = none. */
export function trustedOriginOf(request: ApiRequest, trustedOrigins: readonly string[]): string | null {
  if (trustedOrigins.length === 0) return null;
  const origin = request.header("origin");
  return origin !== null && trustedOrigins.includes(origin) ? origin : null;
}

/** The headers that a client has a use for, besides those that Fetch always shows. */
const EXPOSED = [
  "Content-Disposition",
  "ETag",
  "Idempotent-Replayed",
  "Link",
  "Location",
  "Preference-Applied",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "WWW-Authenticate",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-RateLimit-Window",
  "X-Request-Id",
].join(", ");

/** Lets a page of a trusted origin read the response. Source: Fetch, CORS protocol. */
export function addCrossOriginHeaders(
  headers: Record<string, string>,
  request: ApiRequest,
  trustedOrigins: readonly string[],
): void {
  if (trustedOrigins.length === 0) return;
  headers.vary = headers.vary === undefined ? "Origin" : `${headers.vary}, Origin`;
  const origin = trustedOriginOf(request, trustedOrigins);
  if (origin === null) return;
  headers["access-control-allow-origin"] = origin;
  headers["access-control-allow-credentials"] = "true";
  headers["access-control-expose-headers"] = EXPOSED;
}

const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
const PREFLIGHT_SECONDS = 600;
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~, -]{1,1000}$/;

/** The headers that answer a preflight of a trusted origin; null = the request is none. */
export function preflightHeaders(
  request: ApiRequest,
  trustedOrigins: readonly string[],
): Record<string, string> | null {
  if (request.method !== "OPTIONS" || request.header("access-control-request-method") === null) return null;
  if (trustedOriginOf(request, trustedOrigins) === null) return null;
  const asked = request.header("access-control-request-headers");
  return {
    "access-control-allow-methods": METHODS,
    ...(asked !== null && HEADER_NAMES.test(asked) ? { "access-control-allow-headers": asked } : {}),
    "access-control-max-age": String(PREFLIGHT_SECONDS),
  };
}
