import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { type Dispatcher, Pool } from "undici";
import { at } from "../kernel/at.js";
import { type Clock, systemClock } from "../kernel/clock.js";
import { type ResolveName, resolveBySystem, resolveDestination } from "./resolve-destination.js";
import { readRetryAfter } from "./retry-after.js";
import { MAX_KEPT_BYTES, MAX_READ_BYTES, type SendOutcome, type SendRequest, type WebhookSender } from "./sender.js";
import { sharedLookups } from "./shared-lookups.js";

export interface UndiciSenderOptions {
  readonly resolveName?: ResolveName;
  readonly clock?: Clock; // reads a Retry-After that is a date
}

/** The idle connections of so many receivers are kept; the longest unused are closed first. */
const MAX_POOLS = 500;
const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 30_000;

/**
 * Sends over pooled keep-alive connections. Connections are pooled by origin and by the addresses that were judged, so
 * that a name which leads elsewhere by now, or a narrower allow-list, never meets a connection that was opened before.
 * The pools are its own: neither a proxy named in the environment nor a global dispatcher has a say.
 */
export function undiciSender({
  resolveName = resolveBySystem,
  clock = systemClock,
}: UndiciSenderOptions = {}): WebhookSender {
  let pools = new Map<string, Pool>();
  const lookUp = sharedLookups(resolveName);

  function poolFor(origin: string, addresses: readonly LookupAddress[]): Pool {
    // Sorted: many names give the same addresses in another order each time.
    const key = [origin, ...addresses.map(({ address }) => address).sort()].join(" ");
    const pool = pools.get(key) ?? openPool(origin, addresses);
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

  async function call(request: SendRequest, signal: AbortSignal, elapsed: () => number): Promise<SendOutcome> {
    const destination = await untilAborted(resolveDestination(request.url, request, lookUp), signal);
    if (destination.kind === "refused") return { kind: "failed", error: destination.reason, durationMs: elapsed() };
    const { origin, pathname, search } = new URL(request.url);
    const answer = await poolFor(origin, destination.addresses).request({
      method: "POST",
      path: pathname + search,
      headers: { ...request.headers, "accept-encoding": "identity" },
      body: request.body,
      signal,
    });
    const responseBody = await readBeginning(answer.body);
    return {
      kind: "answered",
      responseCode: answer.statusCode,
      responseBody,
      retryAfterSeconds: readRetryAfter(firstOf(answer.headers["retry-after"]), clock.now()),
      durationMs: elapsed(),
    };
  }

  return {
    send: async (request) => {
      const started = performance.now();
      const elapsed = () => Math.round(performance.now() - started);
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(), request.deadlineMs);
      try {
        return await call(request, deadline.signal, elapsed);
      } catch (error) {
        const late = deadline.signal.aborted;
        const reason = late ? `No whole answer came within ${request.deadlineMs / 1_000} seconds.` : describe(error);
        return { kind: "failed", error: reason, durationMs: elapsed() };
      } finally {
        clearTimeout(timer);
      }
    },
    close: async () => {
      const closing = [...pools.values()];
      pools = new Map();
      await Promise.all(closing.map((pool) => pool.close()));
    },
  };
}

/** A pool that connects to the judged addresses alone, whatever the name resolves to by then; SNI and Host keep the name. */
function openPool(origin: string, addresses: readonly LookupAddress[]): Pool {
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

/** The first bytes of an answer as text. A longer answer is cut off, and its connection with it. */
async function readBeginning(body: Dispatcher.ResponseData["body"]): Promise<string> {
  const kept = Buffer.alloc(MAX_KEPT_BYTES);
  let read = 0;
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk);
    if (read < MAX_KEPT_BYTES) bytes.copy(kept, read);
    read += bytes.length;
    if (read >= MAX_READ_BYTES) break; // leaving the loop destroys the body
  }
  return asText(kept.subarray(0, Math.min(read, MAX_KEPT_BYTES)));
}

/** What every store can keep, and no more bytes of it than given: what is no text takes more room as text. */
function asText(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes, { stream: true }).replaceAll("\u0000", "\ufffd");
  return new TextDecoder().decode(Buffer.from(text).subarray(0, MAX_KEPT_BYTES), { stream: true });
}

/** A name takes as long to resolve as it likes, and cannot be told to stop. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    promise.then(resolve, reject);
  });
}

function firstOf(value: string | string[] | undefined): string | null {
  if (value === undefined) return null;
  return typeof value === "string" ? value : at(value, 0);
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
