import { createHash } from "node:crypto";
import type { LoginView } from "@budgetkit/core";
import type { ApiRequest } from "@budgetkit/core/http";
import type { DashboardSettings } from "./options.js";

/** The tokens of a session, as the browser keeps them out of the reach of scripts. */
export interface SessionTokens {
  readonly access: string;
  readonly refresh: string;
  readonly expiresAtSeconds: number; // of the access token, by the clock of the service
}

/** How long a refresh token lives. */
const MAX_AGE_SECONDS = 30 * 24 * 60 * 60;

const MAX_VALUE = 4_000;
const VALUE = /^(\d{1,12})~([\w.-]+)~([\w.-]+)$/;

/** One cookie for both tokens: they are always replaced together. */
export interface SessionCookie {
  /** null = no cookie, or one that cannot be used. */
  read(request: ApiRequest): SessionTokens | null;
  /** True when the request has such a cookie, usable or not. */
  isSent(request: ApiRequest): boolean;
  write(request: ApiRequest, tokens: SessionTokens): string;
  clear(request: ApiRequest): string;
}

export function sessionCookie({ service, publicPath, secureCookies }: DashboardSettings): SessionCookie {
  const path = publicPath === "" ? "/" : publicPath;
  // Browsers send the cookie of /a to /a/b as well: the name keeps two mounts apart.
  const base = `budgetkit-${createHash("sha256").update(path).digest("hex").slice(0, 8)}`;
  const isSecure = (request: ApiRequest) =>
    secureCookies ?? (isOverTls(request.original) || service.site.isForwardedHttps(request));
  const prefix = path === "/" ? "__Host-" : "__Secure-"; // browsers refuse such a name from a page without HTTPS
  const nameFor = (request: ApiRequest) => (isSecure(request) ? `${prefix}${base}` : base);
  const sent = (request: ApiRequest) => valuesOf(request.header("cookie"), nameFor(request));
  const cookie = (request: ApiRequest, value: string, maxAge: number) =>
    [
      `${nameFor(request)}=${value}`,
      `Path=${path}`,
      `Max-Age=${maxAge}`,
      "HttpOnly",
      "SameSite=Strict",
      ...(isSecure(request) ? ["Secure"] : []),
    ].join("; ");
  return {
    read: (request) => {
      // A sibling domain can add a second cookie of this name; which one is ours cannot be seen.
      const [value, ...others] = new Set(sent(request));
      return value === undefined || others.length > 0 ? null : tokensIn(value);
    },
    isSent: (request) => sent(request).length > 0,
    write: (request, { access, refresh, expiresAtSeconds }) =>
      cookie(request, `${expiresAtSeconds}~${access}~${refresh}`, MAX_AGE_SECONDS),
    clear: (request) => cookie(request, "", 0),
  };
}

/** The tokens of a login or a refresh. */
export function tokensOf(
  { access_token, refresh_token, expires_in }: Pick<LoginView, "access_token" | "refresh_token" | "expires_in">,
  nowMs: number,
): SessionTokens {
  return { access: access_token, refresh: refresh_token, expiresAtSeconds: Math.floor(nowMs / 1_000) + expires_in };
}

function tokensIn(value: string): SessionTokens | null {
  const [, expiresAt, access, refresh] = value.length > MAX_VALUE ? [] : (VALUE.exec(value) ?? []);
  if (expiresAt === undefined || access === undefined || refresh === undefined) return null;
  return { access, refresh, expiresAtSeconds: Number(expiresAt) };
}

function valuesOf(header: string | null, name: string): readonly string[] {
  return (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}

/** True for a web-standard Request of an https URL, in whichever class, and for a Node request on a TLS socket. */
function isOverTls(original: unknown): boolean {
  if (typeof original !== "object" || original === null) return false;
  if ("url" in original && typeof original.url === "string" && /^https:/i.test(original.url)) return true;
  const socket = "socket" in original ? original.socket : null;
  return typeof socket === "object" && socket !== null && "encrypted" in socket && socket.encrypted === true;
}
