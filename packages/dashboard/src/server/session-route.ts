import type { LoginView, SignedInUser } from "@budgetkit/core";
import type { ApiRequest, ApiResponse, ResponseBody } from "@budgetkit/core/http";
import { empty, json, problem, unauthorized, withCookie, wrongMethod } from "./answers.js";
import type { FindSession } from "./live-session.js";
import type { DashboardService } from "./options.js";
import { LoginRequest, OwnRequest } from "./own-request.js";
import { refuseForeign } from "./same-origin.js";
import { type SessionCookie, tokensOf } from "./session-cookie.js";

const MAX_LOGIN_BYTES = 16 * 1024;

/** Answers who is signed in, logs in and signs out. Never answers a token. */
export type AnswerSession = (request: ApiRequest) => Promise<ApiResponse>;

export function sessionRoute(
  service: DashboardService,
  cookie: SessionCookie,
  findSession: FindSession,
): AnswerSession {
  const { site, sessions } = service;
  const isHost = site.session === "host";

  async function read(request: ApiRequest): Promise<ApiResponse> {
    if (isHost) return answerUser(await site.findUser(new OwnRequest(request, "/", { kind: "host" })), null);
    const session = await findSession(request);
    const ended = cookie.isSent(request) ? { "set-cookie": cookie.clear(request) } : {};
    if (session.kind !== "live") return unauthorized(session.kind === "ended" ? ended : {});
    const caller = { kind: "token", access: session.access } as const;
    const user = await site.findUser(new OwnRequest(request, "/", caller));
    return user === null ? unauthorized(ended) : answerUser(user, session.cookie);
  }

  async function logIn(request: ApiRequest): Promise<ApiResponse> {
    const body = await request.readBody(MAX_LOGIN_BYTES);
    if (body === "too-large") return problem(413, "payload_too_large", "A login has at most 16 kB.");
    const answer = await service.handle(new LoginRequest(request, withNamedCode(body)));
    if (answer.status !== 201) return answer;
    const login: LoginView = JSON.parse(await textOf(answer.body));
    const tokens = tokensOf(login, site.now());
    const caller = { kind: "token", access: tokens.access } as const;
    const user = await site.findUser(new OwnRequest(request, "/", caller));
    const former = cookie.read(request);
    if (former !== null) await end(request, former.refresh);
    return user === null ? unauthorized() : answerUser(user, cookie.write(request, tokens), 201);
  }

  /** The session of the service ends, as far as there is one. The browser forgets it whatever happens. */
  async function signOut(request: ApiRequest): Promise<ApiResponse> {
    const tokens = cookie.read(request);
    if (tokens !== null) await end(request, tokens.refresh);
    return empty(204, { "set-cookie": cookie.clear(request) });
  }

  async function end(request: ApiRequest, refresh: string): Promise<void> {
    try {
      await sessions.end({ refresh_token: refresh }, site.clientAddress(request));
    } catch (error) {
      site.report(error, request.header("x-request-id") ?? "");
    }
  }

  return async (request) => {
    const refusal = refuseForeign(request);
    if (refusal !== null) return refusal;
    if (request.method === "GET" || request.method === "HEAD") return read(request);
    if (isHost) return wrongMethod(["GET", "HEAD"]);
    if (request.method === "POST") return logIn(request);
    if (request.method === "DELETE") return signOut(request);
    return wrongMethod(["GET", "HEAD", "POST", "DELETE"]);
  };
}

function answerUser(user: SignedInUser | null, cookie: string | null, status = 200): ApiResponse {
  return user === null ? unauthorized() : withCookie(json(status, { data: user }), cookie);
}

/** People type either kind of code into one field. */
const GENERATED_CODE = /^[\d\s]+$/;

/** The login as the service reads it. Another body is left to the service to refuse. */
function withNamedCode(body: Uint8Array): Uint8Array {
  const given = jsonIn(body);
  if (typeof given !== "object" || given === null || !("code" in given)) return body;
  const { code, ...login } = given;
  if (typeof code !== "string" || code.trim() === "") return Buffer.from(JSON.stringify(login));
  const named = GENERATED_CODE.test(code) ? { totp: code.replace(/\s/g, "") } : { recoveryCode: code.trim() };
  return Buffer.from(JSON.stringify({ ...login, ...named }));
}

function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    return null;
  }
}

async function textOf(body: ResponseBody): Promise<string> {
  if (body === null || typeof body === "string") return body ?? "";
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
