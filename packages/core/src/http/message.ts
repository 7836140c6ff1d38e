/** A request in the form that adapters of every framework translate to. */
export interface ApiRequest {
  readonly method: string; // upper case
  /**
   * Path and query below the mount point, as received and still encoded: `/v1/api/public/budgets?page=2`. A scheme, an
   * authority and a fragment are ignored.
   */
  readonly target: string;
  /** A header by its lower-case name, repeated ones joined with ", "; null when absent. */
  header(name: string): string | null;
  /** Reads the body once, and stops reading beyond `limitBytes`. Rejects when the client disconnects. */
  readBody(limitBytes: number): Promise<Uint8Array | "too-large">;
  /**
   * Streams the body; called instead of `readBody`. Chunks are read from the connection on demand, and none after the
   * iteration ends. Throws when the client disconnects.
   */
  streamBody(): AsyncIterable<Uint8Array>;
  readonly peerAddress: string | null; // address of the connected socket; null = unknown
  /** The host framework's own request, for hooks such as `resolveUser`. */
  readonly original: unknown;
}

/** A complete response; an adapter sends it unchanged. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>; // names in lower case
  readonly body: ResponseBody;
}

/**
 * null = no body. A stream is read as fast as the client takes it. The iteration ends when the client disconnects, and
 * never begins if the response is sent without its body.
 */
export type ResponseBody = string | AsyncIterable<Uint8Array> | null;

export const JSON_TYPE = "application/json; charset=utf-8";

/** The whole HTTP interface as one function. It never rejects: an error is a response too. */
export type ApiHandler = (request: ApiRequest) => Promise<ApiResponse>;

/** The part of a service that adapters use. */
export interface ApiService {
  handle(request: ApiRequest): Promise<ApiResponse>;
}
