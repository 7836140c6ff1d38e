/**
 * A request as the pipeline sees it, whatever framework received it. Adapters make one and nothing else.
 */
export interface ApiRequest {
  readonly method: string; // upper case
  /**
   * Path below the mount point and query, as received and still encoded: `/v1/api/public/budgets?page=2`. A scheme and
   * authority in front of it, and a fragment behind it, are passed over.
   */
  readonly target: string;
  /** A header by its lower-case name, repeated ones joined with ", "; null when absent. */
  header(name: string): string | null;
  /** Reads the body once, and stops reading beyond `limitBytes`. Rejects when the client goes away meanwhile. */
  readBody(limitBytes: number): Promise<Uint8Array | "too-large">;
  /**
   * The body as it arrives, in the place of `readBody`: a chunk is taken from the connection when it is asked for, and
   * none any more when the iteration is ended. Throws when the client goes away meanwhile.
   */
  streamBody(): AsyncIterable<Uint8Array>;
  readonly peerAddress: string | null; // address of the connected socket; null = unknown
  /** The host framework's own request, for hooks such as `resolveUser`. */
  readonly original: unknown;
}

/** A finished answer: status, headers and body are built once and sent as they are. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>; // names in lower case
  readonly body: ResponseBody;
}

/**
 * null = no body. Bytes are asked for as the client takes them; the iteration is ended when the client goes away, and
 * never begun for an answer that is sent without its body.
 */
export type ResponseBody = string | AsyncIterable<Uint8Array> | null;

/** The whole HTTP interface as one function. It never rejects: whatever goes wrong is an answer too. */
export type ApiHandler = (request: ApiRequest) => Promise<ApiResponse>;

/** What adapters need of a service. */
export interface ApiService {
  handle(request: ApiRequest): Promise<ApiResponse>;
}
