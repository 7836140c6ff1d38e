import type { Clock } from "../kernel/clock.js";
import { traceIdOf } from "../kernel/trace-context.js";
import { type Attributes, isWatched, observed, requestChannel } from "../telemetry/channels.js";
import type { Logger } from "../telemetry/logger.js";
import { type Exchange, traceOf } from "./exchange.js";
import type { ApiResponse } from "./message.js";
import type { Route } from "./route.js";
import type { RouteMatch } from "./router.js";

type Match = RouteMatch<Route>;
type AnswerExchange = (exchange: Exchange, match: Match) => Promise<ApiResponse>;

interface ObserverContext {
  readonly clock: Clock;
  readonly logger: Logger | null; // null = no lines
  readonly scheme: string; // by which clients reach the service
}

/**
 * Answers a request such that the channel `budgetkit:request` and the logger are told of it. Routes are named by their
 * pattern, callers by their ids; nothing that a client sent is passed on but its request id and trace id.
 */
export function createRequestObserver(
  { clock, logger, scheme }: ObserverContext,
  answer: AnswerExchange,
): AnswerExchange {
  async function answerAndLog(exchange: Exchange, match: Match): Promise<ApiResponse> {
    const response = await answer(exchange, match);
    if (logger !== null) log(logger, lineOf(exchange, match, response, clock));
    return response;
  }

  return (exchange, match) => {
    if (!isWatched(requestChannel)) return logger === null ? answer(exchange, match) : answerAndLog(exchange, match);
    const attributes = attributesOf(exchange, match, scheme);
    return observed(requestChannel, { attributes, durationMs: null }, clock, async () => {
      const response = await answerAndLog(exchange, match);
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

/** One request in the log. */
interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  readonly route: string | null; // the pattern; null = the path leads nowhere
  readonly status: number;
  readonly durationMs: number;
  readonly bytes: number | null; // of the body; null = it is sent as it comes, and nobody knows yet
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

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]);

/** Clients must not be able to invent methods. Source: OpenTelemetry, `http.request.method`. */
function methodOf({ request }: Exchange): string {
  return METHODS.has(request.method) ? request.method : "_OTHER";
}

function bytesOf({ body, headers }: ApiResponse): number | null {
  if (body === null) return 0;
  if (typeof body === "string") return Buffer.byteLength(body);
  return headers["content-length"] === undefined ? null : Number(headers["content-length"]);
}
