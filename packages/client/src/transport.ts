import { BudgetkitError } from "./budgetkit-error.js";
import {
  type Answer,
  answerOf,
  type Call,
  type CallOptions,
  callOf,
  type OnceOptions,
  type VersionOptions,
} from "./call.js";
import { OPERATIONS, type Operations } from "./operations.js";
import { errorOf, redirectError, unexpectedAnswer } from "./read-error.js";
import { delayBefore, isRetryable } from "./retry-delay.js";
import { startTimeLimit, type TimeLimit } from "./time-limit.js";

type OperationId = keyof Operations;

/**
 * A credential, or a function that returns it for each request, for example to refresh a token. The timeout of the call
 * includes the function. If it throws, the call fails with `CREDENTIAL_ERROR`, or with the `BudgetkitError` that it threw,
 * and is not retried.
 */
export type Credential = string | (() => string | Promise<string>);

export interface ClientOptions {
  /** The address of the service: `https://shop.example/v1`. */
  readonly baseUrl: string;
  /** For budgets, the catalog and attachments. Without it, they are called with the `accessToken`. */
  readonly apiKey?: Credential | undefined;
  /** For all other parts: the `access_token` of a login, or the host's credential. */
  readonly accessToken?: Credential | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** How often failed reads, and failed writes with an idempotency key, are retried; 0 = never. Default: 2. */
  readonly retries?: number | undefined;
  /** Timeout of a whole call, retries included. Default: 30,000; half an hour for uploads. */
  readonly timeoutMs?: number | undefined;
}

/** Calls operations for the parts of the client. */
export interface Transport {
  /** Calls an operation with a JSON body and reads a JSON response. */
  send<K extends OperationId>(
    id: K,
    input: Operations[K]["input"],
    options?: CallOptions,
  ): Call<Operations[K]["answer"]>;
  /** Calls an operation with any body and any response. */
  request<T>(id: OperationId, input: Input, options: CallOptions | undefined, read: Reader<T>): Call<T>;
}

export interface Input {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: object | undefined;
  readonly content?: { readonly body: NonNullable<RequestInit["body"]>; readonly contentType: string | null }; // null = fetch derives it from the body
}

/** Reads a successful response. */
type Reader<T> = (response: Response) => Promise<T>;

const TIMEOUT_MS = 30_000;
const RETRIES = 2;

export function createTransport(client: ClientOptions): Transport {
  const request: Transport["request"] = (id, input, options = {}, read) => {
    const limit = startTimeLimit(options.timeoutMs ?? client.timeoutMs ?? TIMEOUT_MS, options.signal);
    return callOf(perform(client, { id, input, options, limit }, read).finally(limit.lift));
  };
  return {
    request,
    send: <K extends OperationId>(id: K, input: Operations[K]["input"], options?: CallOptions) => {
      const { path, query, body }: Pick<Input, "path" | "query"> & { readonly body?: unknown } = input;
      const content = body === undefined ? {} : { content: jsonOf(body) };
      return request(id, { ...(path && { path }), query, ...content }, options, readData<Operations[K]["answer"]>);
    },
  };
}

const JSON_TYPE = "application/json";

export function jsonOf(body: unknown): NonNullable<Input["content"]> {
  return { body: JSON.stringify(body), contentType: JSON_TYPE };
}

const ACCEPTED = `${JSON_TYPE}, application/problem+json`;

interface PendingCall {
  readonly id: OperationId;
  readonly input: Input;
  readonly options: CallOptions & OnceOptions & VersionOptions;
  readonly limit: TimeLimit;
}

/** Sends a request, and retries if that is safe, may succeed and fits into the timeout. */
async function perform<T>(client: ClientOptions, call: PendingCall, read: Reader<T>): Promise<Answer<T>> {
  const { id, options, limit } = call;
  const [method, , , isOnce] = OPERATIONS[id];
  const key = isOnce ? (options.idempotencyKey ?? newKey()) : null;
  const retries = method === "GET" || key !== null ? (options.retries ?? client.retries ?? RETRIES) : 0;
  const url = urlOf(client.baseUrl, call);
  for (let attempt = 0; ; attempt += 1) {
    const headers = await headersOf(client, call, key);
    try {
      return await attemptOnce(client, url, headers, call, read);
    } catch (error) {
      options.signal?.throwIfAborted();
      const failure = limit.isOver ? timeout(error) : typed(error, unreachable);
      const delayMs = delayBefore(failure, attempt, Math.random());
      if (attempt >= retries || !isRetryable(failure, attempt) || delayMs >= limit.remainingMs) throw failure;
      await limit.sleep(delayMs);
      options.signal?.throwIfAborted();
      if (limit.isOver) throw failure;
    }
  }
}

async function attemptOnce<T>(
  client: ClientOptions,
  url: string,
  headers: Headers,
  { id, input: { content }, limit }: PendingCall,
  read: Reader<T>,
): Promise<Answer<T>> {
  const send = client.fetch ?? globalThis.fetch;
  const method = OPERATIONS[id][0];
  // A followed write may become a read, or send a password to another host; keys of another host are not those of the
  // service. "error" would report a network failure, and Cloudflare Workers do not support it.
  const redirect = method === "GET" && id !== "getSigningKeys" ? "follow" : "manual";
  const init: RequestInit & { duplex?: "half" } = { method, headers, redirect, signal: limit.signal };
  if (content !== undefined) init.body = content.body;
  if (content?.body instanceof ReadableStream) init.duplex = "half";
  const response = await send(url, init);
  if (!response.ok) {
    const text = await response.text();
    throw redirect === "manual" && isRedirect(response) ? redirectError(response) : errorOf(response, text, Date.now());
  }
  return answerOf(response, await read(response));
}

/** Browsers hide the status of a redirect. */
function isRedirect({ type, status }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400);
}

/** Returns `data` of an envelope, and a list together with its pagination. */
export async function readData<T>(response: Response): Promise<T> {
  const text = await response.text();
  try {
    const body = JSON.parse(text);
    return "data" in body && !("pagination" in body) ? body.data : body;
  } catch {
    throw unexpectedAnswer(response);
  }
}

function urlOf(baseUrl: string, { id, input: { path = {}, query = {} } }: PendingCall): string {
  const filled = OPERATIONS[id][1].replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, String(path[name])));
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return `${baseUrl.replace(/\/+$/, "")}${filled}${search && `?${search}`}`;
}

/** An empty segment or one of dots would change the path. */
function segmentOf(name: string, value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} cannot be ${JSON.stringify(value)}`);
  return encodeURIComponent(value);
}

async function bearerOf(client: ClientOptions, { id, options, limit }: PendingCall): Promise<string | undefined> {
  const kind = OPERATIONS[id][2];
  const credential = kind === "apiKey" ? client.apiKey || client.accessToken : kind && client[kind];
  if (typeof credential !== "function") return credential ?? undefined;
  try {
    return await limit.within(credential);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw limit.isOver ? timeout(error) : typed(error, uncredentialed);
  }
}

async function headersOf(client: ClientOptions, call: PendingCall, key: string | null): Promise<Headers> {
  const bearer = await bearerOf(client, call);
  const { input, options } = call;
  const { ifMatch, requestId } = options;
  const given = {
    accept: ACCEPTED,
    authorization: bearer ? `Bearer ${bearer}` : null,
    "content-type": input.content?.contentType,
    "idempotency-key": key,
    "if-match": typeof ifMatch === "number" ? `"v${ifMatch}"` : ifMatch,
    "x-request-id": requestId,
  };
  const headers = new Headers();
  // Empty values are sent: without the header, a write would lose its precondition or its idempotency.
  for (const [name, value] of Object.entries(given))
    if (value !== null && value !== undefined) headers.set(name, value);
  return headers;
}

const KEY_BYTES = 16;

/** `crypto.randomUUID` does not exist on pages without TLS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function typed(error: unknown, otherwise: (cause: unknown) => BudgetkitError): BudgetkitError {
  return error instanceof BudgetkitError ? error : otherwise(error);
}

function timeout(cause: unknown): BudgetkitError {
  return new BudgetkitError({ status: null, code: "TIMEOUT", message: "The call timed out.", cause });
}

function unreachable(cause: unknown): BudgetkitError {
  return new BudgetkitError({
    status: null,
    code: "NETWORK_ERROR",
    message: "The service could not be reached.",
    cause,
  });
}

function uncredentialed(cause: unknown): BudgetkitError {
  const message = "The credential function failed; see `cause`.";
  return new BudgetkitError({ status: null, code: "CREDENTIAL_ERROR", message, cause });
}
