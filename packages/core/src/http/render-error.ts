import { type Instant, toTimestamp } from "../kernel/clock.js";
import type { FieldError, Problem } from "../kernel/problem.js";
import { PROBLEM_CODES } from "../kernel/problem-codes.js";
import { acceptsProblemDetails, prefersHtml } from "./headers/negotiation.js";
import { secondsUntil } from "./headers/rate-headers.js";
import { JSON_TYPE } from "./message.js";
import type { LanguageWishes } from "./pages/page-language.js";
import { messagePage } from "./pages/plain-pages.js";
import { problemPage } from "./pages/problem-page.js";
import { addPrivacyHeaders, type RenderedResponse } from "./render-reply.js";
import type { Surface } from "./route.js";

/** The error of a request: a problem of the operation, or an internal error. */
export type RequestError = Problem | { readonly kind: "internal"; readonly requestId: string };

/** Decides the shape of an error response. */
export interface ErrorStyle {
  readonly surface: Surface;
  readonly accept: string | null; // the Accept header
  readonly now: Instant;
  readonly back: string | null; // link on an error page; null = none
  /** Of the language of an error page behind a customer's link; null = another page, which is in English. */
  readonly wishes: Omit<LanguageWishes, "own"> | null;
}

/**
 * Renders an error response. The only place that maps a problem to a status and a body.
 * Source: contract, Errors (both shapes); RFC 9457.
 */
export function renderError(error: RequestError, { surface, accept, now, back, wishes }: ErrorStyle): RenderedResponse {
  const content = contentOf(error, now);
  const { status } = content;
  if (surface === "link" && prefersHtml(accept)) {
    const { title, message } = content;
    const { markup, headers } = wishes === null ? messagePage(title, message) : problemPage(status, wishes, back);
    return { status, headers: { ...headers, ...content.headers }, body: markup };
  }
  const asDetails = acceptsProblemDetails(accept);
  const headers: Record<string, string> = { "content-type": asDetails ? PROBLEM_TYPE : JSON_TYPE, ...content.headers };
  addPrivacyHeaders(headers, { surface, secret: false });
  const isNested = surface === "management" && error.kind !== "rate-limited";
  const body = asDetails ? problemDetails(content) : isNested ? nestedShape(content) : flatShape(content);
  return { status, headers, body: JSON.stringify(body) };
}

const PROBLEM_TYPE = "application/problem+json; charset=utf-8";

interface ErrorContent {
  readonly status: number;
  readonly code: string; // upper case; lower case in the flat shape
  readonly title: string; // one for each code
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly fields: readonly FieldError[]; // of the nested shape
  readonly headers: Readonly<Record<string, string>>;
}

function flatShape({ code, message, details }: ErrorContent) {
  return { error: code.toLowerCase(), message, details };
}

function nestedShape({ code, message, fields, details }: ErrorContent) {
  const rule = typeof details.rule === "string" ? { rule: details.rule } : {};
  return { error: { code, message, details: fields.map(({ field, message }) => ({ field, message })), ...rule } };
}

/** `details` is a member of its own, since its fields may have the names of standard members. */
function problemDetails({ status, code, title, message, details }: ErrorContent) {
  const { errors, ...others } = details;
  return { type: "about:blank", title, status, detail: message, code, details: others, errors };
}

function contentOf(error: RequestError, now: Instant): ErrorContent {
  switch (error.kind) {
    case "invalid":
      return invalidInput(error.message, error.errors);
    case "malformed":
      return invalidInput(error.message, [{ field: "", code: "INVALID_FORMAT", message: error.message }]);
    case "rule":
      return brokenRuleContent(error);
    case "unauthorized": {
      const content = plain(401, PROBLEM_CODES[error.kind], "Unauthorized", error.message);
      return { ...content, headers: { "www-authenticate": "Bearer" } };
    }
    case "second-factor-needed": {
      const content = plain(401, PROBLEM_CODES[error.kind], "Second factor needed", error.message);
      return { ...content, headers: { "www-authenticate": "Bearer" } };
    }
    case "second-factor-required":
      return plain(403, PROBLEM_CODES[error.kind], "Second factor required", error.message);
    case "forbidden":
      return plain(403, PROBLEM_CODES[error.kind], "Forbidden", error.message);
    case "not-found": {
      const { resource, id } = error;
      return plain(404, PROBLEM_CODES[error.kind], "Not found", error.message, { resource, id });
    }
    case "method-not-allowed": {
      const { allowed, message } = error;
      const content = plain(405, PROBLEM_CODES[error.kind], "Method not allowed", message, { allowed });
      return { ...content, headers: { allow: allowed.join(", ") } };
    }
    case "conflict":
      return plain(409, PROBLEM_CODES[error.kind], "Conflict", error.message, error.details);
    case "stale":
      return plain(412, PROBLEM_CODES[error.kind], "Precondition failed", error.message);
    case "too-large": {
      const { limitBytes, message } = error;
      return plain(413, PROBLEM_CODES[error.kind], "Payload too large", message, { limitBytes });
    }
    case "unsupported-media-type": {
      const { expected, message } = error;
      return plain(415, PROBLEM_CODES[error.kind], "Unsupported media type", message, { expected });
    }
    case "rate-limited":
      return rateLimitedContent(error, now);
    case "unavailable": {
      const content = plain(503, PROBLEM_CODES[error.kind], "Service unavailable", error.message);
      return { ...content, headers: { "retry-after": String(error.retryAfterSeconds) } };
    }
    case "not-implemented":
      return plain(501, PROBLEM_CODES[error.kind], "Not implemented", error.message);
    case "internal": {
      const { requestId } = error;
      const message = "An unexpected error occurred. Include the request id when you report it.";
      return plain(500, "INTERNAL_ERROR", "Internal error", message, { requestId });
    }
  }
}

function brokenRuleContent({ rule, message, details }: Extract<RequestError, { kind: "rule" }>): ErrorContent {
  const fieldOf = (field: string): FieldError => ({ field, code: "INVALID_VALUE", message });
  const errors = typeof details.field === "string" ? [fieldOf(details.field)] : [];
  const content = plain(422, PROBLEM_CODES.rule, "Unprocessable content", message, { ...details, rule, errors });
  return { ...content, fields: errors.length === 0 ? [fieldOf("")] : errors };
}

function rateLimitedContent(error: Extract<RequestError, { kind: "rate-limited" }>, now: Instant): ErrorContent {
  const { limit, remaining, resetAtMs, message } = error;
  const details = { limit, remaining, resetAt: toTimestamp(resetAtMs) };
  const content = plain(429, PROBLEM_CODES[error.kind], "Too many requests", message, details);
  return { ...content, headers: { "retry-after": String(secondsUntil(resetAtMs, now)) } };
}

function plain(
  status: number,
  code: string,
  title: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): ErrorContent {
  return { status, code, title, message, details, fields: [], headers: {} };
}

function invalidInput(message: string, errors: readonly FieldError[]): ErrorContent {
  return { ...plain(400, PROBLEM_CODES.invalid, "Invalid input", message, { errors }), fields: errors };
}
