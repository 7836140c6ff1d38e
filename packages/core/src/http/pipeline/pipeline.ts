import { err, ok, type Result } from "neverthrow";
import type { Actor } from "../../kernel/actor.js";
import { SECOND_MS } from "../../kernel/clock.js";
import { withOtherIds } from "../../kernel/ids.js";
import { notFound, type Problem, unavailable } from "../../kernel/problem.js";
import { checkUnknownFields } from "../../kernel/unknown-fields.js";
import { isBodyTaken } from "../body/receive-body.js";
import { clientAddressOf } from "../headers/client-address.js";
import { prefersStrict } from "../headers/negotiation.js";
import { isUnmodified } from "../headers/preconditions.js";
import { addRateHeaders } from "../headers/rate-headers.js";
import { addCrossOriginHeaders, preflightHeaders } from "../headers/trusted-origins.js";
import type { HttpContext } from "../http-context.js";
import type { ApiHandler, ApiResponse } from "../message.js";
import { wayBackFrom } from "../pages/problem-page.js";
import { type RequestError, renderError } from "../render-error.js";
import { type RenderedResponse, renderInTurns } from "../render-reply.js";
import type { CommitReply, PreparedCall, RawInput, Route } from "../route.js";
import { routes, surfaceOf } from "../route-table.js";
import { createRouter, type RouteMatch } from "../router.js";
import { linkedLogoRoute } from "../routes/logo.js";
import { passwordPageRoutes } from "../routes/password-page.js";
import { publicPageRoutes } from "../routes/public-page.js";
import { referenceRoutes } from "../routes/reference.js";
import { authorizeRequest, countLinkRequest, countUnrouted, reauthorize } from "./authorize-request.js";
import { createRequestIds, type Exchange, openExchange, requestOriginOf } from "./exchange.js";
import { ExchangeFacts } from "./exchange-facts.js";
import { runOnce } from "./idempotent-request.js";
import { observeRequests } from "./observe-request.js";
import { recordUsage } from "./record-usage.js";
import { type ReadBody, readBody, readLinkQuery, readQuery } from "./request-input.js";

/**
 * The HTTP interface: finds the route, authorizes the caller, reads the input, runs the operation, renders the
 * response. The handler never rejects.
 */
export function createPipeline(context: HttpContext): ApiHandler {
  const router = createRouter(routesOf(context));
  const mintRequestId = createRequestIds(context.random);
  const scheme = /^https:/i.test(context.budgets.publicBaseUrl) ? "https" : "http";
  const observed = observeRequests({ clock: context.clock, logger: context.logger, scheme }, respond);
  return (request) => {
    const exchange = openExchange(context, request, mintRequestId);
    return observed(exchange, router.match(request.method, exchange.path));
  };
}

function routesOf({ reference }: HttpContext): readonly Route[] {
  return [
    ...routes,
    ...passwordPageRoutes,
    ...publicPageRoutes,
    linkedLogoRoute,
    ...(reference === null ? [] : referenceRoutes(reference)),
  ];
}

async function respond(exchange: Exchange, match: RouteMatch<Route>): Promise<ApiResponse> {
  const preflight = preflightHeaders(exchange.request, exchange.context.trustedOrigins);
  if (preflight !== null) return complete(exchange, { status: 204, headers: preflight, body: null });
  const outcome = await outcomeOf(exchange, match);
  const response = complete(exchange, outcome.isOk() ? outcome.value : renderProblem(exchange, match, outcome.error));
  recordUsage(exchange, match, response.status);
  return response;
}

function renderProblem(exchange: Exchange, match: RouteMatch<Route>, error: RequestError): RenderedResponse {
  return renderError(error, {
    surface: match.kind === "found" ? match.route.surface : surfaceOf(exchange.path),
    accept: exchange.request.header("accept"),
    now: exchange.now,
    back: wayBackFrom(exchange.path),
    wishes: exchange.path.startsWith(LINKS) ? wishesOf(exchange) : null,
  });
}

const LINKS = "/p/";

function wishesOf({ query, request }: Exchange) {
  return { asked: new URLSearchParams(query).get("lang"), accepted: request.header("accept-language") };
}

/**
 * The one place that catches an unexpected throw: 500, 503 when the store is unavailable, or 400 when the host has taken
 * the body.
 */
async function outcomeOf(
  exchange: Exchange,
  match: RouteMatch<Route>,
): Promise<Result<RenderedResponse, RequestError>> {
  try {
    await exchange.context.ready();
    return match.kind === "found"
      ? await serve(exchange, match.route, match.params)
      : err(await refuseUnrouted(exchange, match));
  } catch (error) {
    const { context, requestId } = exchange;
    context.onError(error, requestId);
    if (isBodyTaken(error)) return err({ kind: "malformed", message: error.message });
    // By name: a store may load the class from the other module format.
    const isUnavailable = error instanceof Error && error.name === "StoreUnavailable";
    return err(isUnavailable ? unavailable(RETRY_UNAVAILABLE_SECONDS) : { kind: "internal", requestId });
  }
}

const RETRY_UNAVAILABLE_SECONDS = 5;

/** The order of the checks decides which error a request with several faults gets. */
async function serve(
  exchange: Exchange,
  route: Route,
  params: Readonly<Record<string, string>>,
): Promise<Result<RenderedResponse, Problem>> {
  const { context, request } = exchange;
  let authorized = await authorizeRequest(exchange, route);
  if (authorized.isErr()) return err(authorized.error);
  const refusal = await countLinkRequest(exchange, route, params.token);
  if (refusal !== null) return err(refusal);
  const body = route.body.reading === "none" ? WITHOUT_BODY : await readBody(request, route);
  if (body.isErr()) return err(body.error);
  if (wasBodySlow(exchange)) {
    exchange.now = context.clock.now();
    authorized = await reauthorize(exchange, route);
    if (authorized.isErr()) return err(authorized.error);
  }
  const isLink = route.surface === "link";
  const query = isLink ? ok(readLinkQuery(exchange.query, route.query)) : readQuery(exchange.query);
  if (query.isErr()) return err(query.error);
  const unknown = unknownFieldsOf(exchange, route, body.value.value);
  if (unknown !== null) return err(unknown);
  const input = { params, query: query.value, body: body.value.value };
  const prepared = route.prepare(input);
  if (prepared.isErr()) return await refuse(exchange, route, input, prepared.error);
  const actor = withOrigin(exchange, route, authorized.value);
  const { now } = exchange;
  const commit: CommitReply = async (reply, run) => (await run({ now })).map(reply);
  const call = { context, actor, now, request: new ExchangeFacts(exchange, route), commit };
  const run = withRedrawnIds(context, route, prepared.value);
  const key = route.idempotent ? request.header("idempotency-key") : null;
  if (key !== null && actor !== null) {
    return runOnce(exchange, { route, actor, key, params, bodyText: body.value.text }, call, run);
  }
  const reply = await run(call);
  return reply.isErr() ? err(reply.error) : ok(await renderInTurns(route, reply.value, call.request));
}

/** A browser whose form misses something gets the page with the form again, if the route has one. */
async function refuse(
  exchange: Exchange,
  route: Route,
  input: RawInput,
  problem: Problem,
): Promise<Result<RenderedResponse, Problem>> {
  const request = new ExchangeFacts(exchange, route);
  const { context, now } = exchange;
  const shown = (await route.showRefused?.({ context, now, request, input, problem })) ?? null;
  if (shown === null) return err(problem);
  return shown.isErr() ? err(shown.error) : ok(await renderInTurns(route, shown.value, request));
}

/** A file is read only once: its request gets 503 instead. */
function withRedrawnIds({ dropIds }: HttpContext, { body }: Route, run: PreparedCall): PreparedCall {
  return body.reading === "file" ? run : (call) => withOtherIds(dropIds, () => run(call));
}

const WITHOUT_BODY = ok<ReadBody>({ text: "", value: undefined });

/** The unknown fields of a body, which only a client that prefers strict handling has refused. */
function unknownFieldsOf({ request }: Exchange, { body }: Route, value: unknown): Problem | null {
  return prefersStrict(request.header("prefer")) ? checkUnknownFields(body.schema, value) : null;
}

/**
 * Reads get no origin: an expiry that a read finds is caused by time, not by the caller. Users get the client's address,
 * which audit entries hold; keys have it since they were identified.
 */
function withOrigin(exchange: Exchange, { method }: Route, actor: Actor | null): Actor | null {
  const caller = actor?.kind === "user" ? withAddress(exchange, actor) : actor;
  return caller === null || method === "GET" ? caller : { origin: requestOriginOf(exchange), ...caller };
}

function withAddress({ context, request }: Exchange, actor: Actor): Actor {
  const address = clientAddressOf(request, context.trustedProxies);
  return address === null ? actor : { address, ...actor };
}

const SLOW_BODY_MS = SECOND_MS;

/**
 * True when the body took longer than a second. The client decides how long a body takes, so it could delay the write
 * until after its key was revoked or the budget has expired. The write is therefore decided at the later time.
 */
function wasBodySlow({ context, now }: Exchange): boolean {
  return context.clock.now() - now > SLOW_BODY_MS;
}

/** On public paths a request counts against the limit of its key or user, even if the path is unknown. */
async function refuseUnrouted(
  exchange: Exchange,
  match: Exclude<RouteMatch<Route>, { kind: "found" }>,
): Promise<Problem> {
  if (surfaceOf(exchange.path) === "public") {
    const refusal = await countUnrouted(exchange);
    if (refusal !== null) return refusal;
  }
  return match.kind === "unknown"
    ? notFound("path", exchange.path.slice(0, MAX_ECHOED_PATH))
    : { kind: "method-not-allowed", message: "This path does not support the method.", allowed: match.allowed };
}

const MAX_ECHOED_PATH = 256;

/** Adds the headers of this request, and drops the body for HEAD and 304. */
function complete(exchange: Exchange, rendered: RenderedResponse): ApiResponse {
  const { context, request, requestId, rate, now, path } = exchange;
  const { headers } = rendered;
  const isOwnCoding = headers.vary === "Accept-Encoding"; // before CORS adds Origin
  addCrossOriginHeaders(headers, request, context.trustedOrigins);
  headers["x-request-id"] = requestId;
  headers["x-content-type-options"] = "nosniff";
  if (prefersStrict(request.header("prefer"))) headers["preference-applied"] = "handling=strict";
  if (rate !== null) addRateHeaders(headers, rate, now);
  if (headers.location !== undefined) headers.location = relativeTo(path, headers.location);
  const { method } = request;
  const isRead = method === "GET" || method === "HEAD";
  const { etag } = headers;
  const known = request.header("if-none-match");
  if (isRead && etag !== undefined && isUnmodified(known, etag, isOwnCoding)) {
    delete headers["content-type"];
    delete headers["content-length"];
    return { status: 304, headers, body: null };
  }
  return { status: rendered.status, headers, body: method === "HEAD" ? null : rendered.body };
}

/** A location relative to the requested path: the service does not know its mount point. */
function relativeTo(path: string, location: string): string {
  const depth = path.split("/").length - 2;
  return "../".repeat(depth) + location.slice(1);
}
