import assert from "node:assert/strict";
import { checkConformance } from "./conformance.js";
import type { HostResponse, Send } from "./host.js";

export type RequestHeaders = Readonly<Record<string, string | readonly string[]>>;

/** An answer that has been held to the route table. */
export interface Reply {
  readonly status: number;
  readonly headers: HostResponse["headers"];
  readonly body: string;
  readonly bytes: Uint8Array;
  /** The value at a path into the JSON body, such as `data.items.0.id`; undefined when there is none. */
  at(path: string): unknown;
  /** The same where it must be a text or a number; fails otherwise. */
  text(path: string): string;
  number(path: string): number;
  /** Holds the values at some paths; undefined = there is none. */
  assertAt(expected: Readonly<Record<string, unknown>>): void;
  /** The same below `data`. */
  assertData(expected: Readonly<Record<string, unknown>>): void;
}

/** Makes requests with the same credential. `path` is below /v1; a body is sent as JSON unless it is text. */
export interface Client {
  send(method: string, path: string, body?: unknown, headers?: RequestHeaders): Promise<Reply>;
  get(path: string, headers?: RequestHeaders): Promise<Reply>;
  post(path: string, body?: unknown, headers?: RequestHeaders): Promise<Reply>;
  put(path: string, body?: unknown, headers?: RequestHeaders): Promise<Reply>;
  delete(path: string, headers?: RequestHeaders): Promise<Reply>;
}

export function clientOf(transport: Send, credential: RequestHeaders): Client {
  const send: Client["send"] = async (method, path, body, headers = {}) => {
    const isText = typeof body === "string" || body instanceof Uint8Array;
    const request = {
      method,
      path: `/v1${path}`,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...credential, ...headers },
      body: body === undefined ? null : isText ? body : JSON.stringify(body),
    };
    const response = await transport(request);
    checkConformance(request, response);
    return replyOf(response);
  };
  return {
    send,
    get: (path, headers) => send("GET", path, undefined, headers),
    post: (path, body, headers) => send("POST", path, body, headers),
    put: (path, body, headers) => send("PUT", path, body, headers),
    delete: (path, headers) => send("DELETE", path, undefined, headers),
  };
}

function replyOf(response: HostResponse): Reply {
  const at = (path: string) => path.split(".").reduce(stepInto, JSON.parse(response.text));
  return {
    status: response.status,
    headers: response.headers,
    body: response.text,
    bytes: response.bytes,
    at,
    text: (path) => {
      const value = at(path);
      assert.equal(typeof value, "string", `${path} of ${response.text}`);
      return String(value);
    },
    number: (path) => {
      const value = at(path);
      assert.equal(typeof value, "number", `${path} of ${response.text}`);
      return Number(value);
    },
    assertAt: (expected) => {
      for (const [path, value] of Object.entries(expected)) assert.deepEqual(at(path), value, path);
    },
    assertData: (expected) => {
      for (const [path, value] of Object.entries(expected)) assert.deepEqual(at(`data.${path}`), value, path);
    },
  };
}

function stepInto(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
