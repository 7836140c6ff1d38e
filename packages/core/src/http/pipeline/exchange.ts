import type { ApiKey } from "../../access/api-key.js";
import type { UserActor } from "../../access/authenticate.js";
import type { Business } from "../../access/business.js";
import type { Origin } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import type { Random } from "../../kernel/random.js";
import { randomToken } from "../../kernel/random.js";
import { readTraceContext, startTrace, type TraceContext } from "../../kernel/trace-context.js";
import type { RateDecision } from "../../limits/rate-limiter.js";
import { targetOf } from "../fetch.js";
import type { HttpContext } from "../http-context.js";
import type { ApiRequest } from "../message.js";
import { withoutVersion } from "../router.js";

/** One request in the pipeline, with the state that its steps share. */
export interface Exchange {
  readonly context: HttpContext;
  readonly request: ApiRequest;
  now: Instant; // the time of the decision; set again after a slow body
  readonly requestId: string;
  readonly path: string; // below the mount point and the version
  readonly query: string; // without its question mark
  readonly startedMs: number; // monotonic clock
  key: ApiKey | null; // null = not authenticated by a key, or not yet
  user: UserActor | null; // null = not authenticated as a user, or not yet
  lacksSecondFactor: boolean; // of a user who has logged in to this service
  business: Promise<Business | null> | null; // of the user, read once for a decision; null = not read yet
  rate: RateDecision | null; // null = no key or user, or not counted
  trace: TraceContext | null | undefined; // null = no trace, undefined = not read yet
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
    lacksSecondFactor: false,
    business: null,
    rate: null,
    trace: undefined,
  };
}

/** The trace of the caller; without a valid one, a new trace if the service starts traces, else null. */
export function traceOf(exchange: Exchange): TraceContext | null {
  if (exchange.trace !== undefined) return exchange.trace;
  const { request, context } = exchange;
  const given = readTraceContext(request.header("traceparent"), request.header("tracestate"));
  exchange.trace = given ?? (context.startTraces ? startTrace(context.random) : null);
  return exchange.trace;
}

/** Links the events of the request, and their webhooks, to the request. */
export function requestOriginOf(exchange: Exchange): Origin {
  return { requestId: exchange.requestId, trace: traceOf(exchange) };
}

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]);

/** The method, or `other` for an unknown one: a client must not add values to logs and statistics. */
export function knownMethodOf({ request }: Exchange, other: string): string {
  return METHODS.has(request.method) ? request.method : other;
}

const SAFE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** The client's own id if it is safe in logs and headers, else a new one. */
function requestIdOf(request: ApiRequest, mintRequestId: () => string): string {
  const given = request.header("x-request-id");
  return given !== null && SAFE_REQUEST_ID.test(given) ? given : mintRequestId();
}

const ID_LENGTH = 16; // 96 bits in base64url
const IDS_PER_BATCH = 64;
const BATCH_BYTES = (ID_LENGTH / 4) * 3 * IDS_PER_BATCH;

/** Mints random request ids in batches: a call of the random source costs more than the bytes. */
export function createRequestIds(random: Random): () => string {
  let batch = "";
  let next = 0;
  return () => {
    if (next >= batch.length) {
      batch = randomToken(random, BATCH_BYTES);
      next = 0;
    }
    next += ID_LENGTH;
    return batch.slice(next - ID_LENGTH, next);
  };
}
