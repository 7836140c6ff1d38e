import type { Clock } from "../../kernel/clock.js";
import { traceIdOf } from "../../kernel/trace-context.js";
import { type Attributes, isWatched, observed, requestChannel } from "../../telemetry/channels.js";
import type { Logger } from "../../telemetry/logger.js";
import type { ApiResponse } from "../message.js";
import type { Route } from "../route.js";
import type { RouteMatch } from "../router.js";
import { type Exchange, knownMethodOf, traceOf } from "./exchange.js";

type Match = RouteMatch<Route>;
type Respond = (exchange: Exchange, match: Match) => Promise<ApiResponse>;

interface ObserverContext {
  readonly clock: Clock;
  readonly logger: Logger | null; // null = no log
  readonly scheme: string; // of the public URL: http or https
}

/**
 * Wraps `respond` so that the channel `budgetkit:request` and the logger receive each request. A route appears as its
 * pattern and a caller as its id; the request id and the trace id are the only values taken from the client.
 */
export function observeRequests({ clock, logger, scheme }: ObserverContext, respond: Respond): Respond {
  async function respondAndLog(exchange: Exchange, match: Match): Promise<ApiResponse> {
    const response = await respond(exchange, match);
    if (logger !== null) log(logger, lineOf(exchange, match, response, clock));
    return response;
  }

  return (exchange, match) => {
    if (!isWatched(requestChannel)) return logger === null ? respond(exchange, match) : respondAndLog(exchange, match);
    const attributes = attributesOf(exchange, match, scheme);
    return observed(requestChannel, { attributes, durationMs: null }, clock, async () => {
      const response = await respondAndLog(exchange, match);
      addOutcome(attributes, exchange, response);
      return response;
    });
  };
}

function attributesOf(exchange: Exchange, match: Match, scheme: string): Attributes {
  const attributes: Attributes = {
    "http.request.method": methodOf(exchange),
    "url.scheme": scheme,
    "budgetkit.request.id": exchange.requestId,
  };
  if (match.kind === "found") attributes["http.route"] = match.route.paths[0];
  const trace = traceOf(exchange);
  if (trace !== null) attributes["budgetkit.traceparent"] = trace.traceparent;
  return attributes;
}

function addOutcome(attributes: Attributes, exchange: Exchange, response: ApiResponse): void {
  const { status } = response;
  attributes["http.response.status_code"] = status;
  if (status >= 500) attributes["error.type"] = String(status);
  const bytes = bytesOf(response);
  if (bytes !== null) attributes["http.response.body.size"] = bytes;
  const { key, user } = exchange;
  const caller = key ?? user;
  if (caller !== null) attributes["budgetkit.business.id"] = caller.businessId;
  if (key !== null) attributes["budgetkit.key.id"] = key.id;
  if (user !== null) attributes["user.id"] = user.id;
}

/** One log line. */
interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  readonly route: string | null; // the pattern; null = unknown path
  readonly status: number;
  readonly durationMs: number;
  readonly bytes: number | null; // of the body; null = streamed, length unknown
  readonly businessId?: string;
  readonly keyId?: string;
  readonly userId?: string;
  readonly traceId?: string;
}

function lineOf(exchange: Exchange, match: Match, response: ApiResponse, clock: Clock): RequestLine {
  const { requestId, key, user, startedMs } = exchange;
  const trace = traceOf(exchange);
  const traceId = trace === null ? null : traceIdOf(trace);
  return {
    requestId,
    method: methodOf(exchange),
    route: match.kind === "found" ? match.route.paths[0] : null,
    status: response.status,
    durationMs: Math.round((clock.monotonicMs() - startedMs) * 1_000) / 1_000,
    bytes: bytesOf(response),
    ...(key === null ? {} : { businessId: key.businessId, keyId: key.id }),
    ...(user === null ? {} : { businessId: user.businessId, userId: user.id }),
    ...(traceId === null ? {} : { traceId }),
  };
}

const TOO_MANY_REQUESTS = 429;

function log(logger: Logger, line: RequestLine): void {
  if (line.status === TOO_MANY_REQUESTS) logger.warn(line, "request refused by a limit");
  else logger.info(line, "request answered");
}

/** Source: OpenTelemetry, `http.request.method`. */
function methodOf(exchange: Exchange): string {
  return knownMethodOf(exchange, "_OTHER");
}

function bytesOf({ body, headers }: ApiResponse): number | null {
  if (body === null) return 0;
  if (typeof body === "string") return Buffer.byteLength(body);
  return headers["content-length"] === undefined ? null : Number(headers["content-length"]);
}
