import type { ApiKey } from "../access/api-key.js";
import type { UserActor } from "../access/authenticate.js";
import type { Instant } from "../kernel/clock.js";
import { randomToken } from "../kernel/digest.js";
import type { Origin } from "../kernel/origin.js";
import type { Random } from "../kernel/random.js";
import { readTraceContext, startTrace, type TraceContext } from "../kernel/trace-context.js";
import type { RateVerdict } from "../limits/rate-limiter.js";
import { targetOf } from "./fetch.js";
import type { HttpContext } from "./http-context.js";
import type { ApiRequest } from "./message.js";
import { withoutVersion } from "./router.js";

/** One request on its way to its answer. */
export interface Exchange {
  readonly context: HttpContext;
  readonly request: ApiRequest;
  now: Instant; // the moment that the request is judged at; a body that took long moves it on, once
  readonly requestId: string;
  readonly path: string; // below the mount point and the version
  readonly query: string; // without its question mark
  readonly startedMs: number; // by the monotonic clock
  key: ApiKey | null; // that the request authenticated with; null = none, or not asked yet
  user: UserActor | null; // that the request authenticated as; null = none, or not asked yet
  rate: RateVerdict | null; // what the limiter said of the key; null = no key, or not asked yet
  trace: TraceContext | null | undefined; // that it is part of; null = none, undefined = not looked at yet
}

export function openExchange(context: HttpContext, request: ApiRequest, mintRequestId: () => string): Exchange {
  const target = targetOf(request.target);
  const mark = target.indexOf("?");
  return {
    context,
    request,
    now: context.clock.now(),
    requestId: requestIdOf(request, mintRequestId),
    path: withoutVersion(mark === -1 ? target : target.slice(0, mark)),
    query: mark === -1 ? "" : target.slice(mark + 1),
    startedMs: context.clock.monotonicMs(),
    key: null,
    user: null,
    rate: null,
    trace: undefined,
  };
}

/** The trace that the request is part of; without one that is valid none, or a new one where the service starts traces. */
export function traceOf(exchange: Exchange): TraceContext | null {
  if (exchange.trace !== undefined) return exchange.trace;
  const { request, context } = exchange;
  const given = readTraceContext(request.header("traceparent"), request.header("tracestate"));
  exchange.trace = given ?? (context.startTraces ? startTrace(context.random) : null);
  return exchange.trace;
}

/** What the events of the request and their webhooks can be traced back to. */
export function originOf(exchange: Exchange): Origin {
  return { requestId: exchange.requestId, trace: traceOf(exchange) };
}

const SAFE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** The client's own id where it is harmless in logs and headers, else a new one. */
function requestIdOf(request: ApiRequest, mintRequestId: () => string): string {
  const given = request.header("x-request-id");
  return given !== null && SAFE_REQUEST_ID.test(given) ? given : mintRequestId();
}

const ID_LENGTH = 16; // 96 bits in base64url
const IDS_AT_ONCE = 64;
const BYTES_AT_ONCE = (ID_LENGTH / 4) * 3 * IDS_AT_ONCE;

/** Random request ids. They are drawn many at once: asking for randomness costs more than the randomness. */
export function createRequestIds(random: Random): () => string {
  let drawn = "";
  let next = 0;
  return () => {
    if (next >= drawn.length) {
      drawn = randomToken(random, BYTES_AT_ONCE);
      next = 0;
    }
    next += ID_LENGTH;
    return drawn.slice(next - ID_LENGTH, next);
  };
}
