import type { Problem } from "./problem.js";

/** The code of each kind of problem in an error of the interface. */
export const PROBLEM_CODES = {
  invalid: "VALIDATION_ERROR",
  malformed: "VALIDATION_ERROR",
  rule: "VALIDATION_ERROR",
  unauthorized: "UNAUTHORIZED",
  "second-factor-needed": "SECOND_FACTOR_NEEDED",
  "second-factor-required": "SECOND_FACTOR_REQUIRED",
  forbidden: "FORBIDDEN",
  "not-found": "RESOURCE_NOT_FOUND",
  "method-not-allowed": "METHOD_NOT_ALLOWED",
  conflict: "CONFLICT",
  stale: "PRECONDITION_FAILED",
  "too-large": "PAYLOAD_TOO_LARGE",
  "unsupported-media-type": "UNSUPPORTED_MEDIA_TYPE",
  "rate-limited": "RATE_LIMIT_EXCEEDED",
  unavailable: "SERVICE_UNAVAILABLE",
  "not-implemented": "NOT_IMPLEMENTED",
} as const satisfies Readonly<Record<Problem["kind"], string>>;
