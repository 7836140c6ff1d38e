/** One call of a receiver. */
export interface SendRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly deadlineMs: number; // for everything: name, connection, request and answer
  readonly allowedIps: readonly string[] | null; // canonical; null = any that is public
  readonly allowPrivate: boolean;
}

export type SendOutcome =
  | {
      readonly kind: "answered";
      readonly responseCode: number;
      readonly responseBody: string; // the beginning: at most MAX_KEPT_BYTES
      readonly retryAfterSeconds: number | null; // null = not asked for
      readonly durationMs: number;
    }
  | {
      readonly kind: "failed"; // no whole answer came
      readonly error: string; // for whoever reads the attempt
      readonly durationMs: number;
    };

/**
 * How callbacks leave the service. It never rejects, ends by the deadline, follows no redirect, connects to no
 * address that it has not judged, and answers what the receiver said. A host may bring its own.
 */
export interface WebhookSender {
  send(request: SendRequest): Promise<SendOutcome>;
  /** Loads what calls need, before the first one. */
  open?(): Promise<void>;
  /** Lets go of idle connections; the next call opens new ones. */
  close?(): Promise<void>;
}

/** Source: contract, Events, delivery rule 3. */
export const SEND_DEADLINE_MS = 30_000;
/** How much of an answer is read before its connection is given up, and how much of it is kept. */
export const MAX_READ_BYTES = 64 * 1024;
export const MAX_KEPT_BYTES = 4 * 1024;
