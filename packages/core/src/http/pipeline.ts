import { err, type Result } from "neverthrow";
import type { Actor } from "../kernel/actor.js";
import { SECOND_MS } from "../kernel/clock.js";
import { notFound, type Problem } from "../kernel/problem.js";
import { admit, admitAgain, admitKey } from "./admission.js";
import { type Answer, renderReply } from "./answer.js";
import { clientAddressOf } from "./client-address.js";
import { createRequestIds, type Exchange, openExchange, originOf } from "./exchange.js";
import type { HttpContext } from "./http-context.js";
import { runOnce } from "./idempotent-request.js";
import type { ApiHandler, ApiResponse } from "./message.js";
import { createRequestObserver } from "./observe-request.js";
import { isUnmodified, readIfMatch } from "./preconditions.js";
import { wayBackFrom } from "./public-page.js";
import { addRateHeaders } from "./rate-headers.js";
import { recordUsage } from "./record-usage.js";
import { readBody, readQuery } from "./request-input.js";
import { type Refusal, renderRefusal } from "./responses.js";
import type { Commit, Route } from "./route.js";
import { routes, surfaceOf } from "./route-table.js";
import { createRouter, type RouteMatch } from "./router.js";
import { referenceRoutes } from "./routes/reference.js";
import { uploadOf } from "./upload.js";

/**
 * The whole HTTP interface over a service's parts: finds the route, lets the caller in, reads the input, runs the
 * operation, renders the answer. The handler never rejects.
 */
export function createPipeline(context: HttpContext): ApiHandler {
  const router = createRouter(routesOf(context));
  const mintRequestId = createRequestIds(context.random);
  const scheme = /^https:/i.test(context.budgets.publicBaseUrl) ? "https" : "http";
  const answer = createRequestObserver({ clock: context.clock, logger: context.logger, scheme }, answerExchange);
  return async (request) => {
    const exchange = openExchange(context, request, mintRequestId);
    return answer(exchange, router.match(request.method, exchange.path));
  };
}

function routesOf({ reference }: HttpContext): readonly Route[] {
  return reference === undefined ? routes : [...routes, ...referenceRoutes(reference)];
}

async function answerExchange(exchange: Exchange, match: RouteMatch<Route>): Promise<ApiResponse> {
  const outcome = await outcomeOf(exchange, match);
  const answer = outcome.match(
    (done) => done,
    (refusal) =>
      renderRefusal(refusal, {
        surface: match.kind === "found" ? match.route.surface : surfaceOf(exchange.path),
        accept: exchange.request.header("accept"),
        now: exchange.now,
        back: wayBackFrom(exchange.path),
      }),
  );
  const response = respond(exchange, answer);
  recordUsage(exchange, match, response.status);
  return response;
}

/** What came of a request, a throw included: the one place where an unexpected one is caught. */
async function outcomeOf(exchange: Exchange, match: RouteMatch<Route>): Promise<Result<Answer, Refusal>> {
  try {
    await exchange.context.ready();
    return match.kind === "found"
      ? await serve(exchange, match.route, match.params)
      : err(await refuseUnrouted(exchange, match));
  } catch (error) {
    const { context, requestId } = exchange;
    context.onError(error, requestId);
    // By name: a store may carry a copy of the class from the other module format.
    const isUnavailable = error instanceof Error && error.name === "StoreUnavailable";
    return err(
      isUnavailable
        ? { kind: "unavailable", retryAfterSeconds: RETRY_UNAVAILABLE_SECONDS }
        : { kind: "internal", requestId },
    );
  }
}

const RETRY_UNAVAILABLE_SECONDS = 5;

/** The order of the checks decides which error a request with several faults is told of. */
async function serve(
  exchange: Exchange,
  route: Route,
  params: Readonly<Record<string, string>>,
): Promise<Result<Answer, Problem>> {
  const { context, request } = exchange;
  let admitted = await admit(exchange, route);
  if (admitted.isErr()) return err(admitted.error);
  const body = await readBody(request, route);
  if (body.isErr()) return err(body.error);
  if (hasTakenLong(exchange)) {
    exchange.now = context.clock.now();
    admitted = await admitAgain(exchange, route);
    if (admitted.isErr()) return err(admitted.error);
  }
  const { now } = exchange;
  const query = readQuery(exchange.query);
  if (query.isErr()) return err(query.error);
  const prepared = route.prepare({ params, query: query.value, body: body.value.value });
  if (prepared.isErr()) return err(prepared.error);
  const actor = traceable(exchange, route, admitted.value);
  const base = {
    context,
    actor,
    now,
    origin: () => originOf(exchange),
    accept: () => request.header("accept"),
    acceptEncoding: () => request.header("accept-encoding"),
    ifMatch: () => readIfMatch(request.header("if-match")),
    clientAddress: () => clientAddressOf(request, context.trustedProxies),
    upload: uploadOf(request, async () => {
      exchange.now = context.clock.now();
      return (await admitAgain(exchange, route)).map(() => exchange.now);
    }),
  };
  const key = route.idempotent ? request.header("idempotency-key") : null;
  if (key !== null && actor !== null) {
    return runOnce(exchange, { route, actor, key, params, bodyText: body.value.text }, base, prepared.value);
  }
  const commit: Commit = async (reply, run) => (await run({ now })).map(reply);
  return (await prepared.value({ commit, ...base })).map((reply) => renderReply(route, reply, base.acceptEncoding));
}

/** Of reads nothing is to be traced back: an expiry that one meets is brought about by time. */
function traceable(exchange: Exchange, { method }: Route, actor: Actor | null): Actor | null {
  return actor === null || method === "GET" ? actor : { origin: originOf(exchange), ...actor };
}

const PROMPT_MS = SECOND_MS;

/**
 * True when the body kept the request waiting. The client decides when a body ends, and could hold a request back that
 * was let in while its key was good, or its budget valid, until long after: what holds then is what counts.
 */
function hasTakenLong({ context, now }: Exchange): boolean {
  return context.clock.now() - now > PROMPT_MS;
}

/** Below the public paths every request of a key is counted, those that lead nowhere too. */
async function refuseUnrouted(
  exchange: Exchange,
  match: Exclude<RouteMatch<Route>, { kind: "found" }>,
): Promise<Problem> {
  if (surfaceOf(exchange.path) === "public") {
    const admitted = await admitKey(exchange);
    if (admitted.isErr() && admitted.error.kind === "rate-limited") return admitted.error;
  }
  return match.kind === "unknown"
    ? notFound("path", exchange.path.slice(0, MAX_ECHOED_PATH))
    : { kind: "method-not-allowed", allowed: match.allowed };
}

const MAX_ECHOED_PATH = 256;

/** Adds what belongs to this request alone, and leaves out what the client has or did not ask for. */
function respond({ request, requestId, rate, now, path }: Exchange, answer: Answer): ApiResponse {
  const { headers } = answer;
  headers["x-request-id"] = requestId;
  headers["x-content-type-options"] = "nosniff";
  if (rate !== null) addRateHeaders(headers, rate, now);
  if (headers.location !== undefined) headers.location = relativeTo(path, headers.location);
  const { method } = request;
  const isRead = method === "GET" || method === "HEAD";
  if (isRead && headers.etag !== undefined && isUnmodified(request.header("if-none-match"), headers.etag)) {
    delete headers["content-type"];
    delete headers["content-length"];
    return { status: 304, headers, body: null };
  }
  return { status: answer.status, headers, body: method === "HEAD" ? null : answer.body };
}

/** The interface does not know where it is mounted: it names its resources relative to the path that was asked. */
function relativeTo(path: string, location: string): string {
  const depth = path.split("/").length - 2;
  return "../".repeat(depth) + location.slice(1);
}
