import type { Dispatcher } from "undici";
import { at } from "../../kernel/arrays.js";
import { type Instant, SECOND_MS } from "../../kernel/clock.js";
import { MAX_KEPT_BYTES, MAX_READ_BYTES } from "./sender.js";

interface ReceiverResponse {
  readonly statusCode: number;
  readonly retryAfter: string | null; // null = no such header
  readonly body: string; // the first MAX_KEPT_BYTES at most
}

export interface PendingCall {
  readonly response: Promise<ReceiverResponse>;
  abort(): void;
}

/**
 * POSTs through a dispatcher directly: undici's `request` makes a stream and a signal for every call, which cost more
 * than the call itself. `response` rejects with undici's errors.
 */
export function post(
  dispatcher: Dispatcher,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): PendingCall {
  let isAborted = false;
  let request: Dispatcher.DispatchController | null = null; // null = not started
  const abort = (): void => {
    isAborted = true;
    request?.abort(new Error("aborted"));
  };
  const response = new Promise<ReceiverResponse>((resolve, reject) => {
    let statusCode = 0;
    let retryAfter: string | null = null;
    let read = 0;
    const kept: Uint8Array[] = [];
    const end = (): void => resolve({ statusCode, retryAfter, body: asText(kept) });
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (controller) => {
        request = controller;
        if (isAborted) abort();
      },
      onResponseStart: (_, code, received) => {
        statusCode = code; // the last one counts: earlier ones are informational
        retryAfter = firstOf(received["retry-after"]);
      },
      onResponseData: (_, chunk) => {
        if (read < MAX_KEPT_BYTES) kept.push(chunk.subarray(0, MAX_KEPT_BYTES - read));
        read += chunk.length;
        if (read < MAX_READ_BYTES) return;
        end();
        abort(); // cuts off a longer response and closes its connection
      },
      onResponseEnd: end,
      onResponseError: (_, error) => reject(error),
    };
    dispatcher.dispatch({ method: "POST", path, headers, body }, handler);
  });
  return { response, abort };
}

/** Text that every store accepts, without NUL and at most MAX_KEPT_BYTES: replacement characters need more bytes. */
function asText(chunks: readonly Uint8Array[]): string {
  if (chunks.length === 0) return "";
  const text = new TextDecoder().decode(Buffer.concat(chunks), { stream: true }).replaceAll("\u0000", "\ufffd");
  return new TextDecoder().decode(Buffer.from(text).subarray(0, MAX_KEPT_BYTES), { stream: true });
}

function firstOf(value: string | string[] | undefined): string | null {
  if (value === undefined) return null;
  return typeof value === "string" ? value : at(value, 0);
}

const SECONDS = /^\d{1,9}$/;

/** The seconds of a Retry-After header, from `now` on; null = absent or unreadable. Source: RFC 9110, 10.2.3. */
export function readRetryAfter(value: string | null, now: Instant): number | null {
  if (value === null) return null;
  const text = value.trim();
  if (SECONDS.test(text)) return Number(text);
  const at = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / SECOND_MS));
}
