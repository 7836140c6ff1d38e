import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { LRUCache } from "lru-cache";
import type { Pool } from "undici";
import { type Clock, systemClock } from "../../kernel/clock.js";
import { checkOptionNames, type OptionNames } from "../../kernel/known-names.js";
import { memoizedSingleFlight, singleFlight } from "../../kernel/single-flight.js";
import { type ResolveName, resolveByDns, resolveBySystem, resolveDestination } from "./resolve-destination.js";
import { SEND_DEADLINE_MS, type SendOutcome, type SendRequest, type WebhookSender } from "./sender.js";
import { post, readRetryAfter } from "./undici-call.js";

export interface UndiciSenderOptions {
  /** Default: DNS; the system resolver for calls that may go to private addresses. */
  readonly resolveName?: ResolveName;
  /** For Retry-After headers with a date. */
  readonly clock?: Clock;
}

const OPTIONS: OptionNames<UndiciSenderOptions> = { resolveName: true, clock: true };

/** Connection pools kept; the least recently used one is closed first. */
const MAX_POOLS = 500;
const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 30_000;

type Undici = typeof import("undici");

/** Loaded with the first call at the latest: many services never send a callback. */
const loadUndici = memoizedSingleFlight<Undici>(() => import("undici"));

/**
 * Sends over pooled keep-alive connections. A pool is identified by its origin and the checked addresses, so a name that
 * resolves to new addresses, or a narrower allow-list, never reuses an older connection. Proxy variables of the
 * environment and a global dispatcher have no effect.
 */
export function undiciSender(options: UndiciSenderOptions = {}): WebhookSender {
  checkOptionNames("undiciSender", options, OPTIONS);
  const { resolveName, clock = systemClock } = options;
  const pools = createPools();
  // The system resolver has few threads, which calls of one slow name would occupy. Results are not cached.
  const lookUpAny = singleFlight(resolveName ?? resolveBySystem, SEND_DEADLINE_MS);
  const lookUpPublic = resolveName === undefined ? singleFlight(resolveByDns(), SEND_DEADLINE_MS) : lookUpAny;

  async function call(request: SendRequest, deadline: Deadline): Promise<SendOutcome> {
    const { startedAt } = deadline;
    const lookUp = request.allowPrivate ? lookUpAny : lookUpPublic;
    const destination = await resolveDestination(request.url, request, lookUp);
    const undici = await loadUndici();
    if (destination.kind === "refused") return failed(destination.reason, startedAt);
    if (deadline.isOver) return failed(FAILED, startedAt); // send() has resolved already
    const { origin, path, addresses } = destination;
    const headers = { "accept-encoding": "identity", ...request.headers }; // V8 copies what is spread last several times as fast
    const { response, abort } = post(pools.poolFor(undici, origin, addresses), path, headers, request.body);
    deadline.abort = abort;
    const { statusCode, body, retryAfter } = await response;
    return {
      kind: "answered",
      responseCode: statusCode,
      responseBody: body,
      retryAfterSeconds: readRetryAfter(retryAfter, clock.now()),
      durationMs: elapsedSince(startedAt),
    };
  }

  return {
    send: (request) =>
      new Promise((resolve) => {
        const deadline: Deadline = { startedAt: performance.now(), isOver: false, abort: () => {} };
        const timer = setTimeout(() => {
          deadline.isOver = true;
          deadline.abort();
          resolve(failed(`No whole answer came within ${request.deadlineMs / 1_000} seconds.`, deadline.startedAt));
        }, request.deadlineMs);
        const end = (outcome: SendOutcome) => {
          clearTimeout(timer);
          resolve(outcome);
        };
        call(request, deadline).then(end, (error: unknown) => end(failed(describe(error), deadline.startedAt)));
      }),
    open: async () => {
      await loadUndici();
    },
    close: pools.close,
  };
}

/** The pools that were used last. One that is dropped closes after its calls in flight. */
function createPools() {
  const pools = new LRUCache<string, Pool>({
    max: MAX_POOLS,
    dispose: (pool, _key, reason) => {
      if (reason === "evict") void pool.close();
    },
  });
  return {
    poolFor: (undici: Undici, origin: string, addresses: readonly LookupAddress[]): Pool => {
      // Sorted: DNS often returns the same addresses in another order.
      const key = [origin, ...addresses.map(({ address }) => address).sort()].join(" ");
      const known = pools.get(key);
      if (known !== undefined) return known;
      const opened = openPool(undici, origin, addresses);
      pools.set(key, opened);
      return opened;
    },
    close: async (): Promise<void> => {
      const closing = [...pools.values()];
      pools.clear();
      await Promise.all(closing.map((pool) => pool.close()));
    },
  };
}

/** A pool that connects to the checked addresses only, without a further lookup; SNI and Host keep the name. */
function openPool({ Pool }: Undici, origin: string, addresses: readonly LookupAddress[]): Pool {
  const lookup: LookupFunction = (_hostname, { all }, found) => {
    const [first] = addresses;
    if (all === true || first === undefined) found(null, [...addresses]);
    else found(null, first.address, first.family);
  };
  return new Pool(origin, {
    connect: { lookup, timeout: CONNECT_TIMEOUT_MS },
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    headersTimeout: 0, // the deadline of the call applies
    bodyTimeout: 0,
  });
}

interface Deadline {
  readonly startedAt: number;
  isOver: boolean;
  abort: () => void;
}

function failed(error: string, startedAt: number): SendOutcome {
  return { kind: "failed", error, durationMs: elapsedSince(startedAt) };
}

function elapsedSince(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}

/** The service's own text for an error: network errors contain addresses, which users must not see. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return FAILED;
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return REASONS[code] ?? `${FAILED} (${code})`;
}

const FAILED = "The call failed.";
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "The connection was refused.",
  ECONNRESET: "The receiver closed the connection before it had answered.",
  UND_ERR_SOCKET: "The receiver closed the connection before it had answered.",
  UND_ERR_CONNECT_TIMEOUT: "The connection could not be opened in time.",
  UND_ERR_HEADERS_OVERFLOW: "The headers of the answer are too large.",
  HTTPParserError: "The answer is not HTTP.",
};
