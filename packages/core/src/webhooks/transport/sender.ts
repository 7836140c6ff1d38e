export interface SendRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly deadlineMs: number; // total time: name lookup, connection, request and response
  readonly allowedIps: readonly string[] | null; // canonical; null = any public address
  readonly allowPrivate: boolean;
}

export type SendOutcome =
  | {
      readonly kind: "answered";
      readonly responseCode: number;
      readonly responseBody: string; // its first MAX_KEPT_BYTES at most
      readonly retryAfterSeconds: number | null; // null = not given
      readonly durationMs: number;
    }
  | {
      readonly kind: "failed"; // no complete response
      readonly error: string; // shown with the attempt
      readonly durationMs: number;
    };

/**
 * Sends callbacks. It never rejects, ends by the deadline, follows no redirect and connects only to addresses that it has
 * checked. A host may pass its own.
 */
export interface WebhookSender {
  send(request: SendRequest): Promise<SendOutcome>;
  /** Loads dependencies before the first call. */
  open?(): Promise<void>;
  /** Closes idle connections; the next call opens new ones. */
  close?(): Promise<void>;
}

/** Source: contract, Events, delivery rule 3. */
export const SEND_DEADLINE_MS = 30_000;
/** Bytes of a response: read before the connection is closed, and kept. */
export const MAX_READ_BYTES = 64 * 1024;
export const MAX_KEPT_BYTES = 4 * 1024;
