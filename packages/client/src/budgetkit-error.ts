/**
 * What went wrong: the service's codes, and those of calls that it did not answer. A write without an idempotency key may
 * have happened all the same after `NETWORK_ERROR` and `TIMEOUT`. `UNEXPECTED_ANSWER` is something else's, such as a
 * proxy's, or a redirect of a write. `CREDENTIAL_ERROR` is a credential function that failed. Later versions may have more.
 */
export type ErrorCode =
  | "VALIDATION_ERROR"
  | "UNAUTHORIZED"
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

/** Why one field was refused. `field` is a path such as `items[0].quantity`. */
export interface FieldError {
  readonly field: string;
  /** Such as REQUIRED; null = the service did not say. */
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

/** What calls reject with, unless the caller's own signal ended them. */
export class BudgetkitError extends Error {
  override readonly name = "BudgetkitError";
  /** Null = no answer came, or a browser keeps its status to itself, which it does for a redirect of a write. */
  readonly status: number | null;
  readonly code: ErrorCode;
  /** With 422: the rule that was broken, such as INVALID_TRANSITION. */
  readonly rule: string | null;
  readonly fieldErrors: readonly FieldError[];
  readonly details: Readonly<Record<string, unknown>>;
  /** How long the service asks to wait. */
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
