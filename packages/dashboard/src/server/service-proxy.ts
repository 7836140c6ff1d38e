import { type ApiRequest, type ApiResponse, withoutVersion } from "@budgetkit/core/http";
import { notFound, PRIVATE_HEADERS, unauthorized, withCookie, wrongMethod } from "./answers.js";
import type { FindSession } from "./live-session.js";
import type { DashboardService } from "./options.js";
import { type Caller, OwnRequest } from "./own-request.js";
import { refuseForeign } from "./same-origin.js";
import type { SessionCookie } from "./session-cookie.js";

/** Their answers hold tokens, which no script may read. */
const WITH_TOKENS: ReadonlySet<string> = new Set(["/auth/login", "/auth/refresh"]);

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);

/** Passes a request for the service on, with the user of the cookie. `target` is below the service's mount. */
export type CallService = (request: ApiRequest, target: string) => Promise<ApiResponse>;

export function serviceProxy(service: DashboardService, cookie: SessionCookie, findSession: FindSession): CallService {
  const { site } = service;
  return async (request, target) => {
    const refusal = refuseForeign(request);
    if (refusal !== null) return refusal;
    if (!METHODS.has(request.method)) return wrongMethod([...METHODS]);
    if (WITH_TOKENS.has(withoutVersion(pathOf(target)))) return notFound();
    if (site.session === "host") return shown(await service.handle(new OwnRequest(request, target, { kind: "host" })));
    const session = await findSession(request);
    if (session.kind === "ended") return unauthorized({ "set-cookie": cookie.clear(request) });
    const caller: Caller = session.kind === "none" ? ANONYMOUS : { kind: "token", access: session.access };
    const answer = shown(await service.handle(new OwnRequest(request, target, caller)));
    if (session.kind === "none") return answer;
    // Another 401 of the service may be about something else than the session.
    const isEnded = answer.status === 401 && (await site.findUser(new OwnRequest(request, "/", caller))) === null;
    return withCookie(answer, isEnded ? cookie.clear(request) : session.cookie);
  };
}

const ANONYMOUS: Caller = { kind: "anonymous" };

/** A cross-origin grant is for callers with a token of their own, and a challenge would open a dialog of the browser. */
const HIDDEN = /^(?:set-cookie|www-authenticate|authorization|authentication-info|access-control-.+)$/;

/** The answer as the page gets it. No cache may keep what the cookie decides: the next person may use the same browser. */
function shown({ status, headers, body }: ApiResponse): ApiResponse {
  const kept = Object.entries(headers).filter(([name]) => !HIDDEN.test(name));
  const own: Record<string, string> = { ...PRIVATE_HEADERS, ...Object.fromEntries(kept) };
  own["cache-control"] = privately(own["cache-control"]);
  return { status, headers: own, body };
}

function privately(control: string | undefined): string {
  if (control === undefined) return "no-store";
  return /\b(?:private|no-store|public)\b/.test(control) ? control : `private, ${control}`;
}

function pathOf(target: string): string {
  const query = target.indexOf("?");
  return query === -1 ? target : target.slice(0, query);
}
