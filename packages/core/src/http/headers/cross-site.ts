import type { ApiRequest } from "../message.js";
import { trustedOriginOf } from "./trusted-origins.js";

const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/** Browsers add these schemes by themselves to requests of any page, once the user has logged in by them. */
const BY_BROWSER: ReadonlySet<string> = new Set(["basic", "digest", "negotiate", "ntlm", "kerberos"]);
const CREDENTIALS = /^([!#$%&'*+.^_`|~\w-]+) +\S/;

/** Only the code of a page adds these. For another site's page, browsers ask this origin before they send them. */
const BY_CODE = ["x-csrf-token", "x-xsrf-token"];

/** What libraries send in X-Requested-With. An Android WebView adds the header by itself, with the name of its app. */
const BY_LIBRARIES = "xmlhttprequest";

/** The origins whose pages may write. */
export interface OwnOrigins {
  readonly publicBaseUrl: string;
  readonly trustedOrigins: readonly string[];
}

/**
 * Cross-site request forgery: a page of another site can make a browser send a request with the user's cookie. Browsers
 * name the page's site in `Sec-Fetch-Site`, or at least its origin in `Origin`, and no page can change either. A sibling
 * domain counts as another site, because it may be in other hands.
 *
 * Not refused are reads, pages of trusted origins, clients other than browsers, which send neither header, and requests
 * with a header that browsers never add by themselves, such as a token in `Authorization`.
 *
 * @returns why the request is refused, for the error's message; null = it is not.
 */
export function crossSiteReason(request: ApiRequest, { publicBaseUrl, trustedOrigins }: OwnOrigins): string | null {
  if (SAFE.has(request.method) || isMadeByCode(request)) return null;
  if (trustedOriginOf(request, trustedOrigins) !== null) return null;
  const site = request.header("sec-fetch-site");
  if (site !== null) {
    return site === "same-origin" || site === "none" ? null : `Sec-Fetch-Site is ${quoted(site)}, not same-origin`;
  }
  const origin = request.header("origin");
  if (origin === null || isOwnOrigin(origin, request.header("host"), publicBaseUrl)) return null;
  return `Origin is ${quoted(origin)}, which is not the address of this service`;
}

function isMadeByCode(request: ApiRequest): boolean {
  const [, scheme] = CREDENTIALS.exec(request.header("authorization") ?? "") ?? [];
  if (scheme !== undefined && !BY_BROWSER.has(scheme.toLowerCase())) return true;
  if (request.header("x-requested-with")?.toLowerCase() === BY_LIBRARIES) return true;
  return BY_CODE.some((name) => (request.header(name) ?? "") !== "");
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
