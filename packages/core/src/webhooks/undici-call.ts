import type { Dispatcher } from "undici";
import { at } from "../kernel/at.js";
import { MAX_KEPT_BYTES, MAX_READ_BYTES } from "./sender.js";

/** What a receiver said. */
interface Answer {
  readonly statusCode: number;
  readonly retryAfter: string | null; // null = no such header
  readonly body: string; // the beginning
}

/** One request, as whoever made it may give it up: nothing is told of it afterwards. */
export interface UnderwayCall {
  readonly answer: Promise<Answer>;
  abort(): void;
}

/**
 * POSTs straight through a dispatcher: undici's own `request` makes a stream and a signal for every call, which cost
 * more than the call. `answer` rejects with undici's errors.
 */
export function post(
  dispatcher: Dispatcher,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): UnderwayCall {
  let isAborted = false;
  let request: Dispatcher.DispatchController | null = null; // null = not begun
  const abort = (): void => {
    isAborted = true;
    request?.abort(new Error("given up"));
  };
  const answer = new Promise<Answer>((resolve, reject) => {
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
        statusCode = code; // of several the last: those before it are informational
        retryAfter = firstOf(received["retry-after"]);
      },
      onResponseData: (_, chunk) => {
        if (read < MAX_KEPT_BYTES) kept.push(chunk.subarray(0, MAX_KEPT_BYTES - read));
        read += chunk.length;
        if (read < MAX_READ_BYTES) return;
        end();
        abort(); // a longer answer is cut off, and its connection with it
      },
      onResponseEnd: end,
      onResponseError: (_, error) => reject(error),
    };
    dispatcher.dispatch({ method: "POST", path, headers, body }, handler);
  });
  return { answer, abort };
}

/** What every store can keep, and no more bytes of it than given: what is no text takes more room as text. */
function asText(chunks: readonly Uint8Array[]): string {
  if (chunks.length === 0) return "";
  const text = new TextDecoder().decode(Buffer.concat(chunks), { stream: true }).replaceAll("\u0000", "\ufffd");
  return new TextDecoder().decode(Buffer.from(text).subarray(0, MAX_KEPT_BYTES), { stream: true });
}

function firstOf(value: string | string[] | undefined): string | null {
  if (value === undefined) return null;
  return typeof value === "string" ? value : at(value, 0);
}
