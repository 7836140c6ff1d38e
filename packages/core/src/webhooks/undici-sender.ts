import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import type { Pool } from "undici";
import { type Clock, systemClock } from "../kernel/clock.js";
import { once } from "../kernel/once.js";
import { type ResolveName, resolveByDns, resolveBySystem, resolveDestination } from "./resolve-destination.js";
import { readRetryAfter } from "./retry-after.js";
import type { SendOutcome, SendRequest, WebhookSender } from "./sender.js";
import { sharedLookups } from "./shared-lookups.js";
import { post } from "./undici-call.js";

export interface UndiciSenderOptions {
  /** Default: DNS; the resolver of the machine for calls that may go to private addresses. */
  readonly resolveName?: ResolveName;
  readonly clock?: Clock; // reads a Retry-After that is a date
}

/** The idle connections of so many receivers are kept; the longest unused are closed first. */
const MAX_POOLS = 500;
const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 30_000;

type Undici = typeof import("undici");

/** With the first call, if not before: many a service runs without ever making one. */
const loadUndici = once<Undici>(() => import("undici"));

/**
 * Sends over pooled keep-alive connections. Connections are pooled by origin and by the addresses that were judged, so
 * that a name which leads elsewhere by now, or a narrower allow-list, never meets a connection that was opened before.
 * The pools are its own: neither a proxy named in the environment nor a global dispatcher has a say.
 */
export function undiciSender({ resolveName, clock = systemClock }: UndiciSenderOptions = {}): WebhookSender {
  let pools = new Map<string, Pool>();
  const lookUpAny = sharedLookups(resolveName ?? resolveBySystem);
  const lookUpPublic = resolveName === undefined ? sharedLookups(resolveByDns()) : lookUpAny;

  function poolFor(undici: Undici, origin: string, addresses: readonly LookupAddress[]): Pool {
    // Sorted: many names give the same addresses in another order each time.
    const key = [origin, ...addresses.map(({ address }) => address).sort()].join(" ");
    const pool = pools.get(key) ?? openPool(undici, origin, addresses);
    pools.delete(key);
    pools.set(key, pool); // the last in the order is the one used last
    if (pools.size > MAX_POOLS) dropOldest();
    return pool;
  }

  function dropOldest(): void {
    for (const [key, pool] of pools) {
      pools.delete(key);
      void pool.close(); // what is under way ends first
      return;
    }
  }

  async function call(request: SendRequest, deadline: Deadline): Promise<SendOutcome> {
    const { startedAt } = deadline;
    const lookUp = request.allowPrivate ? lookUpAny : lookUpPublic;
    const [destination, undici] = await Promise.all([resolveDestination(request.url, request, lookUp), loadUndici()]);
    if (destination.kind === "refused") return failed(destination.reason, startedAt);
    if (deadline.isOver) return failed(FAILED, startedAt); // nobody hears it any more
    const { origin, path } = destination;
    const headers = { ...request.headers, "accept-encoding": "identity" };
    const { answer, abort } = post(poolFor(undici, origin, destination.addresses), path, headers, request.body);
    deadline.abort = abort;
    const { statusCode, body, retryAfter } = await answer;
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
        void call(request, deadline)
          .catch((error: unknown) => failed(describe(error), deadline.startedAt))
          .then((outcome) => {
            clearTimeout(timer);
            resolve(outcome);
          });
      }),
    open: async () => {
      await loadUndici();
    },

    close: async () => {
      const closing = [...pools.values()];
      pools = new Map();
      await Promise.all(closing.map((pool) => pool.close()));
    },
  };
}

/** A pool that connects to the judged addresses alone, whatever the name resolves to by then; SNI and Host keep the name. */
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
    headersTimeout: 0, // the deadline of the whole call holds instead
    bodyTimeout: 0,
  });
}

/** Until when a call may take, and how it is given up then. */
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

/** What went wrong, in words of our own: those of the network name addresses, which are not everybody's to know. */
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
