/** Options of every call. */
export interface CallOptions {
  /** Aborts the call and its retries; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of the whole call, retries included. Default: the client's. */
  readonly timeoutMs?: number | undefined;
  /** How often a failed call is retried; 0 = never. Default: the client's. */
  readonly retries?: number | undefined;
  /** Your own id for the request, of up to 128 letters, digits and `._:-`: the service logs and returns it. */
  readonly requestId?: string | undefined;
}

/** For writes that accept an Idempotency-Key. */
export interface OnceOptions extends CallOptions {
  /** 1 to 255 visible ASCII characters. Default: a new key per call; its retries use the same key. */
  readonly idempotencyKey?: string | undefined;
}

/** For writes to versioned resources. */
export interface VersionOptions extends CallOptions {
  /** The version to change, as a number or ETag; any other fails with `PRECONDITION_FAILED`. Default: any version. */
  readonly ifMatch?: number | string | undefined;
}

export interface OnceVersionOptions extends OnceOptions, VersionOptions {}

/** The data of a response, and its headers. */
export interface Answer<T> {
  readonly data: T;
  readonly status: number;
  readonly headers: Headers;
  /** For `ifMatch` of a later write. */
  readonly etag: string | null;
  readonly requestId: string | null;
  /** Null = the request had no credential. */
  readonly rateLimit: RateLimit | null;
  /** True = a replay of the first response to the idempotency key. */
  readonly isReplay: boolean;
}

/** The sliding hour of the API key. */
export interface RateLimit {
  /** Requests an hour. */
  readonly limit: number;
  readonly remaining: number;
  /** When the next request is possible again. */
  readonly resetAt: Date;
}

/** A promise of the data. `withResponse` also resolves to the headers. */
export interface Call<T> extends Promise<T> {
  withResponse(): Promise<Answer<T>>;
}

export function callOf<T>(answer: Promise<Answer<T>>): Call<T> {
  const data = answer.then((each) => each.data);
  const withResponse = () => {
    data.catch(() => {}); // the returned promise rejects as well
    return answer;
  };
  return Object.assign(data, { withResponse });
}

export function answerOf<T>({ status, headers }: Response, data: T): Answer<T> {
  return {
    data,
    status,
    headers,
    etag: headers.get("etag"),
    requestId: headers.get("x-request-id"),
    rateLimit: rateLimitOf(headers),
    isReplay: headers.get("idempotent-replayed") === "true",
  };
}

function rateLimitOf(headers: Headers): RateLimit | null {
  const limit = headers.get("x-ratelimit-limit");
  if (limit === null) return null;
  return {
    limit: Number(limit),
    remaining: Number(headers.get("x-ratelimit-remaining")),
    resetAt: new Date(Number(headers.get("x-ratelimit-reset")) * 1_000),
  };
}
