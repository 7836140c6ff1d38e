import { BudgetkitError, type FieldError } from "./budgetkit-error.js";

type Json = Readonly<Record<string, unknown>>;

interface ErrorContent {
  readonly code: string;
  readonly message: string;
  readonly details: Json;
  readonly errors: unknown;
  readonly rule: unknown;
}

/** Reads the error shapes of the service: flat, nested and RFC 9457. Any other body is an UNEXPECTED_ANSWER. */
export function errorOf({ status, headers }: Response, text: string, now: number): BudgetkitError {
  const content = read(parsed(text));
  const retryAfterMs = readRetryAfter(headers.get("retry-after"), now);
  const requestId = headers.get("x-request-id");
  if (content === null) {
    const message = `The response (${status}) is not from Budgetkit.`;
    return new BudgetkitError({ status, code: "UNEXPECTED_ANSWER", message, retryAfterMs, requestId });
  }
  const { code, message, details, errors, rule } = content;
  return new BudgetkitError({
    status,
    code,
    message,
    rule: typeof rule === "string" ? rule : null,
    fieldErrors: Array.isArray(errors) ? errors.map(readField) : [],
    details,
    retryAfterMs,
    requestId,
  });
}

export function unexpectedAnswer({ status, headers }: Response): BudgetkitError {
  const requestId = headers.get("x-request-id");
  return new BudgetkitError({ status, code: "UNEXPECTED_ANSWER", message: "The response is not JSON.", requestId });
}

/** Writes do not follow redirects. */
export function redirectError({ status, headers }: Response): BudgetkitError {
  const message = `The response${status === 0 ? "" : ` (${status})`} is a redirect, which writes and the public keys do not follow. Check \`baseUrl\`.`;
  const requestId = headers.get("x-request-id");
  return new BudgetkitError({ status: status || null, code: "UNEXPECTED_ANSWER", message, requestId });
}

function parsed(text: string): Json {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function read({ error, message, code, detail, details, errors }: Json): ErrorContent | null {
  const more: Json = Object(details);
  if (typeof code === "string") return { code, message: String(detail), details: more, errors, rule: more.rule };
  if (typeof error === "string") {
    return { code: error.toUpperCase(), message: String(message), details: more, errors: more.errors, rule: more.rule };
  }
  const nested: Json = Object(error);
  if (typeof nested.code !== "string") return null;
  const { rule } = nested;
  return { code: nested.code, message: String(nested.message), details: {}, errors: nested.details, rule };
}

function readField(given: unknown): FieldError {
  const { field, code, message } = Object(given);
  return { field: String(field), code: typeof code === "string" ? code : null, message: String(message) };
}

/** Milliseconds to wait. Retry-After has seconds or a date. Source: RFC 9110, 10.2.3. */
function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}
