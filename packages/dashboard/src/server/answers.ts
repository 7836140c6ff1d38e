import { type ApiResponse, JSON_TYPE } from "@budgetkit/core/http";

/** For every answer of the dashboard itself: it is read by its own pages alone. */
export const PRIVATE_HEADERS = {
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

const DATA_HEADERS = {
  ...PRIVATE_HEADERS,
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
} as const;

export type Headers = Readonly<Record<string, string>>;

export function json(status: number, body: object, headers: Headers = {}): ApiResponse {
  return { status, headers: { ...DATA_HEADERS, "content-type": JSON_TYPE, ...headers }, body: JSON.stringify(body) };
}

/** An error in the shape of the service. */
export function problem(status: number, error: string, message: string, headers: Headers = {}): ApiResponse {
  return json(status, { error, message, details: {} }, headers);
}

export function empty(status: number, headers: Headers = {}): ApiResponse {
  return { status, headers: { ...DATA_HEADERS, ...headers }, body: null };
}

export const notFound = (): ApiResponse => problem(404, "not_found", "There is nothing at this address.");

export const unauthorized = (headers: Headers = {}): ApiResponse =>
  problem(401, "unauthorized", "Sign in to continue.", headers);

export function wrongMethod(allowed: readonly string[]): ApiResponse {
  const allow = allowed.join(", ");
  return problem(405, "method_not_allowed", `This address allows ${allow}.`, { allow });
}

/** The answer with a cookie. No cache may keep it. */
export function withCookie(answer: ApiResponse, cookie: string | null): ApiResponse {
  if (cookie === null) return answer;
  return { ...answer, headers: { ...answer.headers, "set-cookie": cookie, "cache-control": "no-store" } };
}
