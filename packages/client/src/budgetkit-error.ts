/**
 * The error codes of the service, and those of the client:
 * - `NETWORK_ERROR`, `TIMEOUT`: no response. A write without an idempotency key may have taken effect.
 * - `UNEXPECTED_ANSWER`: not a response of the service, but of a proxy for example, or a redirect of a write.
 * - `CREDENTIAL_ERROR`: a credential function failed.
 *
 * Later versions may add codes.
 */
export type ErrorCode =
  | "VALIDATION_ERROR"
  | "UNAUTHORIZED"
  | "SECOND_FACTOR_NEEDED"
  | "SECOND_FACTOR_REQUIRED"
  | "FORBIDDEN"
  | "RESOURCE_NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "CONFLICT"
  | "PRECONDITION_FAILED"
  | "PAYLOAD_TOO_LARGE"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "RATE_LIMIT_EXCEEDED"
  | "INTERNAL_ERROR"
  | "NOT_IMPLEMENTED"
  | "SERVICE_UNAVAILABLE"
  | "NETWORK_ERROR"
  | "TIMEOUT"
  | "UNEXPECTED_ANSWER"
  | "CREDENTIAL_ERROR"
  | (string & Record<never, never>);

/** The error of one field. `field` is a path such as `items[0].quantity`. */
export interface FieldError {
  readonly field: string;
  /** Such as REQUIRED; null = not in the response. */
  readonly code: string | null;
  readonly message: string;
}

interface Failure {
  readonly status: number | null;
  readonly code: ErrorCode;
  readonly message: string;
  readonly rule?: string | null;
  readonly fieldErrors?: readonly FieldError[];
  readonly details?: Readonly<Record<string, unknown>>;
  readonly retryAfterMs?: number | null;
  readonly requestId?: string | null;
  readonly cause?: unknown;
}

/** Calls reject with this error, unless the caller's own signal aborts them. */
export class BudgetkitError extends Error {
  override readonly name = "BudgetkitError";
  /** Null = no response, or a redirect of a write, whose status browsers hide. */
  readonly status: number | null;
  readonly code: ErrorCode;
  /** With 422: the rule that failed, such as INVALID_TRANSITION. */
  readonly rule: string | null;
  readonly fieldErrors: readonly FieldError[];
  readonly details: Readonly<Record<string, unknown>>;
  /** From Retry-After; null = absent. */
  readonly retryAfterMs: number | null;
  readonly requestId: string | null;

  constructor(failure: Failure) {
    super(failure.message, { cause: failure.cause });
    this.status = failure.status;
    this.code = failure.code;
    this.rule = failure.rule ?? null;
    this.fieldErrors = failure.fieldErrors ?? [];
    this.details = failure.details ?? {};
    this.retryAfterMs = failure.retryAfterMs ?? null;
    this.requestId = failure.requestId ?? null;
  }
}
