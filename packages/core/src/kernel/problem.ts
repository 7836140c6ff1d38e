/** Why one field of a request is refused. `field` is a path such as `items[0].quantity`. */
export interface FieldError {
  /** Its path, such as `items[0].quantity`; empty = the whole input. */
  readonly field: string;
  /** What is wrong, such as REQUIRED. */
  readonly code: FieldCode;
  /** For people to read. */
  readonly message: string;
}

export const FIELD_CODES = [
  "REQUIRED",
  "INVALID_TYPE",
  "MIN_LENGTH",
  "MAX_LENGTH",
  "MIN_VALUE",
  "MAX_VALUE",
  "INVALID_FORMAT",
  "INVALID_VALUE",
] as const;
export type FieldCode = (typeof FIELD_CODES)[number];

/** Business rules that a well-formed request can break (422). docs/http.md lists them in this order. */
export const BUSINESS_RULES = [
  "INVALID_TRANSITION",
  "BUDGET_LOCKED",
  "VALIDITY_IN_THE_PAST",
  "ISSUED_AFTER_EXPIRATION",
  "DISCOUNT_EXCEEDS_SUBTOTAL",
  "DISCOUNT_EXCEEDS_ITEM",
  "DISCOUNT_RATE_AND_AMOUNT",
  "NO_ITEMS",
  "WRONG_LINE_KIND",
  "AMOUNT_TOO_LARGE",
  "BUDGET_TOO_LARGE",
  "TOTALS_MISMATCH",
  "TAX_RATE_REQUIRED",
  "DUPLICATE_TAX",
  "UNKNOWN_TAX",
  "TAX_CYCLE",
  "INVALID_TAX_BASE",
  "WITHHOLDING_EXCEEDS_TOTAL",
  "DUPLICATE_CHOICE",
  "UNKNOWN_CHOICE",
  "IMPOSSIBLE_CHOICE",
  "TOO_MANY_OPTIONS",
  "CHOICE_EXCEEDED",
  "CHOICE_INCOMPLETE",
  "NOT_SELECTABLE",
  "INVALID_QUANTITY_RANGE",
  "QUANTITY_OUT_OF_RANGE",
  "TIERS_NOT_ASCENDING",
  "SELECTION_NOT_OFFERED",
  "TOO_MANY_RECURRENCES",
  "UNKNOWN_ITEM",
  "UNKNOWN_REFERENCE",
  "PRODUCT_AND_PACKAGE",
  "ALREADY_ACCEPTED",
  "TOO_MANY_CHANGE_REQUESTS",
  "TOO_MANY_MESSAGES",
  "PUBLIC_LINK_UNREADABLE",
  "NO_RECIPIENT",
  "NOT_REMINDABLE",
  "REMINDERS_OFF",
  "REMINDED_RECENTLY",
  "NOT_EXTENDABLE",
  "VALIDITY_NOT_LATER",
  "NOT_PAYABLE",
  "MINIMUM_ABOVE_TOTAL",
  "PAYMENT_EXCEEDS_TOTAL",
  "PAID_IN_THE_FUTURE",
  "TOO_MANY_PAYMENTS",
  "RATE_LIMIT_ABOVE_TIER",
  "KEY_REVOKED",
  "WEAK_PASSWORD",
  "WRONG_PASSWORD",
  "LAST_OWNER",
  "OWN_ACCOUNT",
  "TOKEN_NOT_VALID",
  "USER_DISABLED",
  "WRONG_CODE",
  "SECOND_FACTOR_MISSING",
  "SECOND_FACTOR_DEMANDED",
  "NO_WEBHOOK_URL",
  "WEBHOOK_DISABLED",
  "FILTER_NEVER_MATCHES",
  "DELIVERY_NOT_FINISHED",
  "NOTHING_TO_REPLAY",
  "REPLAY_NOT_RUNNING",
  "TOO_MANY_KEYS",
  "TOO_MANY_INTEGRATIONS",
  "TOO_MANY_WEBHOOKS",
  "TOO_MANY_ATTACHMENTS",
  "INVALID_NUMBER_PATTERN",
  "NUMBER_TAKEN",
  "LOGO_NOT_SUPPORTED",
  "PDF_TOO_LONG",
  "QUOTA_EXCEEDED",
  "IDEMPOTENCY_KEY_REUSED",
  "CURSOR_TOO_OLD",
  "CURSOR_AHEAD",
] as const;
export type BusinessRule = (typeof BUSINESS_RULES)[number];

/** Every expected failure of an operation. Only the HTTP layer turns a problem into a status and a body. */
export type Problem = { readonly message: string } & (
  | { readonly kind: "invalid"; readonly errors: readonly FieldError[] } // 400, the parameters or the body
  | { readonly kind: "malformed" } // 400, not JSON, too deep
  | { readonly kind: "rule"; readonly rule: BusinessRule; readonly details: RuleDetails }
  | { readonly kind: "unauthorized" }
  | { readonly kind: "second-factor-needed" } // 401, a login without a valid code
  | { readonly kind: "second-factor-required" } // 403, the business demands one that the user lacks
  | { readonly kind: "forbidden" }
  | { readonly kind: "not-found"; readonly resource: string; readonly id: string }
  | { readonly kind: "method-not-allowed"; readonly allowed: readonly string[] }
  | { readonly kind: "conflict"; readonly details: RuleDetails }
  | { readonly kind: "stale" } // 412, If-Match names another version
  | { readonly kind: "too-large"; readonly limitBytes: number }
  | { readonly kind: "unsupported-media-type"; readonly expected: string }
  | { readonly kind: "rate-limited"; readonly limit: number; readonly remaining: number; readonly resetAtMs: number }
  | { readonly kind: "unavailable"; readonly retryAfterSeconds: number }
  | { readonly kind: "not-implemented" } // 501, the host has not configured it
);

export type RuleDetails = Readonly<Record<string, unknown>>;

export function invalid(field: string, code: FieldCode, message: string): Problem {
  return invalidFields([{ field, code, message }]);
}

export function invalidFields(errors: readonly FieldError[]): Problem {
  return { kind: "invalid", message: "The request has invalid fields.", errors };
}

export const unauthorized: Problem = { kind: "unauthorized", message: "The credential is missing or not valid." };

export function tooLarge(limitBytes: number): Problem {
  return { kind: "too-large", message: `The body is larger than ${limitBytes} bytes.`, limitBytes };
}

export function unsupportedMediaType(expected: string): Problem {
  const message = `The body must be ${expected}, in UTF-8 and not compressed.`;
  return { kind: "unsupported-media-type", message, expected };
}

/** The default for a limit of requests. */
export const TOO_MANY_REQUESTS = "Too many requests. Try again later.";

export function unavailable(retryAfterSeconds: number): Problem {
  const message = "The service is temporarily unavailable. Try again later.";
  return { kind: "unavailable", message, retryAfterSeconds };
}

export function brokenRule(rule: BusinessRule, message: string, details: RuleDetails = {}): Problem {
  return { kind: "rule", rule, message, details };
}

export function notFound(resource: string, id: string): Problem {
  const words = resource.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`); // `apiKey` becomes `api key`
  return { kind: "not-found", message: `There is no such ${words}.`, resource, id };
}

/**
 * Thrown by a store that cannot serve at the moment: disk full, database locked, connection lost. No part of the
 * write is committed. The pipeline responds with 503.
 */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/**
 * Thrown by a store that holds a record with the id of a new one, as after it has lost reservations of ids. No part of the
 * write is committed. An operation is run again with other ids where it can be; else the response is 503.
 */
export class IdTaken extends StoreUnavailable {
  readonly isIdTaken = true;
}

/** By its mark: a store may load the class from the other module format. */
export function isIdTaken(error: unknown): boolean {
  return error instanceof Error && "isIdTaken" in error && error.isIdTaken === true;
}
