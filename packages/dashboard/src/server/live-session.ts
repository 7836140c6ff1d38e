import type { ApiRequest } from "@budgetkit/core/http";
import type { DashboardService } from "./options.js";
import { type SessionCookie, type SessionTokens, tokensOf } from "./session-cookie.js";

/** The session of a request. */
type LiveSession =
  | { readonly kind: "none" }
  /** The cookie has to be cleared. */
  | { readonly kind: "ended" }
  /** `cookie` replaces that of the request; null = it stays. */
  | { readonly kind: "live"; readonly access: string; readonly cookie: string | null };

/** An access token is replaced before it expires: a slow request must not outlive it. */
const EARLY_SECONDS = 60;

/**
 * How long the refresh token of a lost race works: two processes may serve two tabs, and an answer with the new cookie may
 * be lost. Short: for as long, a stolen token goes unnoticed.
 */
const GRACE_MS = 10_000;

/** Finds the session of a request, and refreshes it when its access token expires. Rejects when the store fails. */
export type FindSession = (request: ApiRequest) => Promise<LiveSession>;

export function liveSessions({ site, sessions }: DashboardService, cookie: SessionCookie): FindSession {
  const underWay = new Map<string, Promise<SessionTokens | null>>(); // by refresh token

  /** Concurrent requests with one token wait for one refresh. null = the service refuses the token. */
  function refresh(token: string, request: ApiRequest): Promise<SessionTokens | null> {
    const running = underWay.get(token);
    if (running !== undefined) return running;
    const started = refreshOnce(token, request).finally(() => underWay.delete(token));
    underWay.set(token, started);
    return started;
  }

  async function refreshOnce(token: string, request: ApiRequest): Promise<SessionTokens | null> {
    const input = { refresh_token: token };
    const refreshed = await sessions.refresh(input, site.clientAddress(request), { graceMs: GRACE_MS });
    return refreshed.isOk() ? tokensOf(refreshed.value, site.now()) : null;
  }

  return async (request) => {
    const tokens = cookie.read(request);
    if (tokens === null) return { kind: "none" };
    const { access, refresh: token, expiresAtSeconds } = tokens;
    const isFresh = site.now() < (expiresAtSeconds - EARLY_SECONDS) * 1_000;
    if (isFresh) return { kind: "live", access, cookie: null };
    const renewed = await refresh(token, request);
    if (renewed === null) return { kind: "ended" };
    return { kind: "live", access: renewed.access, cookie: cookie.write(request, renewed) };
  };
}
