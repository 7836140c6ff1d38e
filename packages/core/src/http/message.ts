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
  readonly peerAddress: string | null; // address of the connected socket; null = unknown
  /** The host framework's own request, for hooks such as `resolveUser`. */
  readonly original: unknown;
}

/** A finished answer: status, headers and body are built once and sent as they are. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>; // names in lower case
  readonly body: string | null; // null = no body
}

/** The whole HTTP interface as one function. It never rejects: whatever goes wrong is an answer too. */
export type ApiHandler = (request: ApiRequest) => Promise<ApiResponse>;

/** What adapters need of a service. */
export interface ApiService {
  handle(request: ApiRequest): Promise<ApiResponse>;
}
