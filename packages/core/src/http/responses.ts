import { type Instant, toTimestamp } from "../kernel/clock.js";
import type { FieldError, Problem } from "../kernel/problem.js";
import { type Answer, addPrivacyHeaders, JSON_TYPE } from "./answer.js";
import { PAGE_HEADERS } from "./html.js";
import { acceptsProblemDetails, prefersHtml } from "./negotiation.js";
import { messagePage } from "./public-page.js";
import { secondsUntil } from "./rate-headers.js";
import type { Surface } from "./route.js";

/** Why a request was not served: an operation's problem, or a fault of the service itself. */
export type Refusal = Problem | { readonly kind: "internal"; readonly requestId: string };

/** What the shape of an error depends on. */
export interface ErrorStyle {
  readonly surface: Surface;
  readonly accept: string | null;
  readonly now: Instant;
  readonly back: string | null; // where a person may go on from an error page; null = nowhere
}

/**
 * The answer to a request that was refused. The only place that turns a problem into a status and a body.
 * Source: contract, Errors (both shapes); RFC 9457.
 */
export function renderRefusal(refusal: Refusal, { surface, accept, now, back }: ErrorStyle): Answer {
  const told = tell(refusal, now);
  const { status } = told;
  if (surface === "link" && prefersHtml(accept)) {
    const body = messagePage(told.title, told.message, back);
    return { status, headers: { ...PAGE_HEADERS, ...told.headers }, body };
  }
  const asDetails = acceptsProblemDetails(accept);
  const headers: Record<string, string> = { "content-type": asDetails ? PROBLEM_TYPE : JSON_TYPE, ...told.headers };
  addPrivacyHeaders(headers, { surface, secret: false });
  const isNested = surface === "management" && refusal.kind !== "rate-limited";
  const body = asDetails ? problemDetails(told) : isNested ? nestedShape(told) : flatShape(told);
  return { status, headers, body: JSON.stringify(body) };
}

const PROBLEM_TYPE = "application/problem+json; charset=utf-8";

interface Told {
  readonly status: number;
  readonly code: string; // upper case; the flat shape writes it in lower case
  readonly title: string; // the same for every problem of the code
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly fields: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;
}

function flatShape({ code, message, details }: Told) {
  return { error: code.toLowerCase(), message, details };
}

function nestedShape({ code, message, fields, details }: Told) {
  const rule = typeof details.rule === "string" ? { rule: details.rule } : {};
  return { error: { code, message, details: fields.map(({ field, message }) => ({ field, message })), ...rule } };
}

/** What a problem brings is kept apart: its members may be named as the standard ones are. */
function problemDetails({ status, code, title, message, details }: Told) {
  const { errors, ...others } = details;
  return { type: "about:blank", title, status, detail: message, code, details: others, errors };
}

function tell(refusal: Refusal, now: Instant): Told {
  switch (refusal.kind) {
    case "invalid":
      return invalidInput("Some of what was sent is not valid.", refusal.errors);
    case "malformed":
      return invalidInput(refusal.message, [{ field: "", code: "INVALID_FORMAT", message: refusal.message }]);
    case "rule": {
      const { rule, message, details } = refusal;
      const told = plain(422, "VALIDATION_ERROR", "Unprocessable content", message, { ...details, rule });
      const field = typeof details.field === "string" ? details.field : "";
      return { ...told, fields: [{ field, code: "INVALID_VALUE", message }] };
    }
    case "unauthorized": {
      const told = plain(401, "UNAUTHORIZED", "Unauthorized", "The credential is missing or not valid.");
      return { ...told, headers: { "www-authenticate": "Bearer" } };
    }
    case "forbidden":
      return plain(403, "FORBIDDEN", "Forbidden", refusal.message);
    case "not-found": {
      const { resource, id } = refusal;
      return plain(404, "RESOURCE_NOT_FOUND", "Not found", `There is no such ${wordsOf(resource)}.`, { resource, id });
    }
    case "method-not-allowed": {
      const { allowed } = refusal;
      const told = plain(405, "METHOD_NOT_ALLOWED", "Method not allowed", "This path has other methods.", { allowed });
      return { ...told, headers: { allow: allowed.join(", ") } };
    }
    case "conflict":
      return plain(409, "CONFLICT", "Conflict", refusal.message, refusal.details);
    case "stale":
      return plain(412, "PRECONDITION_FAILED", "Precondition failed", refusal.message);
    case "too-large": {
      const { limitBytes } = refusal;
      const message = `The body is larger than ${limitBytes} bytes.`;
      return plain(413, "PAYLOAD_TOO_LARGE", "Payload too large", message, { limitBytes });
    }
    case "unsupported-media-type": {
      const { expected } = refusal;
      const message = `The body must be ${expected}, in UTF-8 and not compressed.`;
      return plain(415, "UNSUPPORTED_MEDIA_TYPE", "Unsupported media type", message, { expected });
    }
    case "rate-limited": {
      const { limit, remaining, resetAtMs, message = "Too many requests; try later." } = refusal;
      const details = { limit, remaining, resetAt: toTimestamp(resetAtMs) };
      const told = plain(429, "RATE_LIMIT_EXCEEDED", "Too many requests", message, details);
      return { ...told, headers: { "retry-after": String(secondsUntil(resetAtMs, now)) } };
    }
    case "unavailable": {
      const told = plain(
        503,
        "SERVICE_UNAVAILABLE",
        "Service unavailable",
        "The service cannot answer now; try later.",
      );
      return { ...told, headers: { "retry-after": String(refusal.retryAfterSeconds) } };
    }
    case "not-implemented":
      return plain(501, "NOT_IMPLEMENTED", "Not implemented", refusal.message);
    case "internal": {
      const { requestId } = refusal;
      const message = "Something went wrong on our side. The request id helps to find out what.";
      return plain(500, "INTERNAL_ERROR", "Internal error", message, { requestId });
    }
  }
}

/** `apiKey` in a sentence. */
function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function plain(
  status: number,
  code: string,
  title: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): Told {
  return { status, code, title, message, details, fields: [], headers: {} };
}

function invalidInput(message: string, errors: readonly FieldError[]): Told {
  return { ...plain(400, "VALIDATION_ERROR", "Invalid input", message, { errors }), fields: errors };
}
