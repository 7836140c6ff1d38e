import type { ApiRequest } from "../message.js";

const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

const BEARER = /^Bearer +\S/i;

/**
 * Cross-site request forgery: a page of another site can make a browser send a request with the user's cookie. Browsers
 * name the page's site in `Sec-Fetch-Site`, or at least its origin in `Origin`, and no page can change either. A sibling
 * domain counts as another site, because it may be in other hands.
 *
 * Not refused are reads, clients other than browsers, which send neither header, and requests whose only credential is
 * a token in `Authorization`: browsers never add one by themselves.
 *
 * @returns why the request is refused, for the error's message; null = it is not.
 */
export function crossSiteReason(request: ApiRequest, publicBaseUrl: string): string | null {
  if (SAFE.has(request.method) || carriesTokenAlone(request)) return null;
  const site = request.header("sec-fetch-site");
  if (site !== null) {
    return site === "same-origin" || site === "none" ? null : `Sec-Fetch-Site is ${quoted(site)}, not same-origin`;
  }
  const origin = request.header("origin");
  if (origin === null || isOwnOrigin(origin, request.header("host"), publicBaseUrl)) return null;
  return `Origin is ${quoted(origin)}, which is not the address of this service`;
}

/** With a cookie beside it, the token may not be the credential that counted. */
function carriesTokenAlone(request: ApiRequest): boolean {
  return BEARER.test(request.header("authorization") ?? "") && request.header("cookie") === null;
}

/**
 * The public address, or the host that the browser called. Behind a proxy the service does not see the scheme: it
 * accepts both, unless its public address is https.
 */
function isOwnOrigin(origin: string, host: string | null, publicBaseUrl: string): boolean {
  const own = new URL(publicBaseUrl);
  if (origin === own.origin) return true;
  if (host === null) return false;
  const called = host.toLowerCase();
  return origin === `https://${called}` || (own.protocol === "http:" && origin === `http://${called}`);
}

const MAX_QUOTED = 100;

function quoted(value: string): string {
  return JSON.stringify(value.slice(0, MAX_QUOTED));
}
