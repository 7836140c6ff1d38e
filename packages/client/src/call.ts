/** What a caller may say of any call. */
export interface CallOptions {
  /** Ends the call, the waits between its repeats included; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** How long the call may take in all, repeats included. Default: the client's. */
  readonly timeoutMs?: number | undefined;
  /** How often the call may be repeated when it fails; 0 = never. Default: the client's. */
  readonly retries?: number | undefined;
  /** Your own name for the request, of up to 128 letters, digits and `._:-`: the service logs it and answers with it. */
  readonly requestId?: string | undefined;
}

/** For writes that happen once, however often they are sent. */
export interface OnceOptions extends CallOptions {
  /** 1 to 255 visible ASCII characters. Default: a new one for the call, kept over its repeats. */
  readonly idempotencyKey?: string | undefined;
}

/** For writes to what has a version. */
export interface VersionOptions extends CallOptions {
  /** The version that may be changed, as its number or its ETag; another one is `PRECONDITION_FAILED`. Default: any. */
  readonly ifMatch?: number | string | undefined;
}

export interface OnceVersionOptions extends OnceOptions, VersionOptions {}

/** What came back, with what its headers say. */
export interface Answer<T> {
  readonly data: T;
  readonly status: number;
  readonly headers: Headers;
  /** For `ifMatch` of a later write. */
  readonly etag: string | null;
  readonly requestId: string | null;
  /** Null = the caller has none: it showed no API key. */
  readonly rateLimit: RateLimit | null;
  /** The first answer to the idempotency key once more. */
  readonly isReplay: boolean;
}

/** The sliding hour of the API key. */
export interface RateLimit {
  /** Requests an hour. */
  readonly limit: number;
  readonly remaining: number;
  /** When a place comes free. */
  readonly resetAt: Date;
}

/** A call that is under way: a promise of the data, which also has the headers for whoever wants them. */
export interface Call<T> extends Promise<T> {
  withResponse(): Promise<Answer<T>>;
}

export function callOf<T>(answer: Promise<Answer<T>>): Call<T> {
  const data = answer.then((each) => each.data);
  const withResponse = () => {
    data.catch(() => {}); // the caller hears of the failure by the other promise
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
