import assert from "node:assert/strict";
import { targetOf } from "@budgetkit/core/http";
import {
  createRouter,
  errorSchemaOf,
  problemDetailsSchema,
  type Route,
  routes,
  statusesOf,
  surfaceOf,
  withoutVersion,
} from "@budgetkit/core/routes";
import type { z } from "zod";
import type { HostRequest, HostResponse } from "./host.js";

const router = createRouter(routes);
const ERROR_STATUSES: ReadonlySet<number> = new Set([
  400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 429, 500, 501, 503,
]);
const RATE_HEADERS = {
  "x-ratelimit-limit": /^\d+$/,
  "x-ratelimit-remaining": /^\d+$/,
  "x-ratelimit-reset": /^\d{10}$/,
  "x-ratelimit-window": /^3600$/,
  "ratelimit-policy": /^"hour";q=\d+;w=3600, "burst";q=\d+;w=60$/,
  ratelimit: /^"hour";r=\d+;t=\d+(, "burst";r=0;t=\d+)?$/,
};

/** Holds an answer to what the route table says of it; throws an AssertionError. */
export function checkConformance(request: HostRequest, response: HostResponse): void {
  const { status, headers } = response;
  const path = withoutVersion(targetOf(request.path).split("?")[0] ?? "");
  const match = router.match(request.method, path);
  assert.match(headers["x-request-id"] ?? "", /^[A-Za-z0-9._:-]{1,128}$/);
  assert.equal(headers["x-content-type-options"], "nosniff");
  checkRateHeaders(headers);
  if (match.kind === "found") {
    const statuses = statusesOf(match.route);
    assert.ok(statuses.includes(status), `${match.route.operationId} may not answer ${status}: ${response.text}`);
  } else {
    const isPreflight = request.method === "OPTIONS" && status === 204;
    assert.ok(isPreflight || [404, 405, 429, 500, 503].includes(status), `no route, but ${status}`);
  }
  if (request.method === "HEAD" || status === 303 || status === 304) assert.equal(response.text, "");
  else if (ERROR_STATUSES.has(status))
    checkError(match.kind === "found" ? match.route.surface : surfaceOf(path), response);
  else if (match.kind === "found") checkSuccess(match.route, response);
}

function checkRateHeaders(headers: HostResponse["headers"]): void {
  if (headers["x-ratelimit-limit"] === undefined) return;
  for (const [name, pattern] of Object.entries(RATE_HEADERS)) assert.match(headers[name] ?? "", pattern, name);
}

function checkSuccess(route: Route, { status, headers, text }: HostResponse): void {
  if (route.download !== false) checkDownload(route, headers);
  else if (headers["content-type"]?.startsWith("text/html") === true) assert.equal(route.surface, "link");
  else {
    fits(route.success.schema, headers, text, "application/json; charset=utf-8");
    checkSuccessHeaders(route, status, headers);
  }
}

function checkSuccessHeaders({ success, surface }: Route, status: number, headers: HostResponse["headers"]): void {
  if (surface === "management" || surface === "link") assert.equal(headers["cache-control"], "no-store");
  for (const name of ["etag", "location"] as const) {
    const isExpected = success.headers?.includes(name) === true && (name === "etag" || status === 201);
    assert.equal(headers[name] !== undefined, isExpected, `${name}: ${headers[name]}`);
  }
}

/**
 * A browser saves a file of a client and does not show it; a sandbox keeps its scripts from the caller's session. It
 * shows the service's own PDFs.
 */
function checkDownload({ download, surface }: Route, headers: HostResponse["headers"]): void {
  const kind = download === true ? "attachment" : "inline";
  const disposition = headers["content-disposition"] ?? "";
  assert.ok(disposition.startsWith(`${kind}; `), disposition);
  assert.match(disposition, /^\w+; filename="[^"\\]+"(; filename\*=UTF-8''[\w!#$&+.^`|~%-]+)?$/);
  const type = headers["content-type"] ?? "";
  const policy = headers["content-security-policy"] ?? "";
  if (type.startsWith("text/html") && download !== true) {
    assert.match(
      policy,
      /^sandbox; default-src 'none'; img-src data:; style-src( 'sha256-[\w+/=]+')+; form-action 'none'; /,
    );
  } else {
    const viewed = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    assert.equal(policy, download === true ? "sandbox; default-src 'none'" : viewed);
  }
  if (typeof download !== "boolean")
    assert.ok(
      download.some((own) => type.startsWith(own)),
      type,
    );
  assert.equal(headers["cache-control"], surface === "public" ? "private, no-store" : "no-store");
  assert.match(headers.etag ?? "", /^"[0-9a-f]{64}"$/);
}

function checkError(surface: Route["surface"], { status, headers, text }: HostResponse): void {
  const contentType = headers["content-type"] ?? "";
  if (contentType.startsWith("text/html")) assert.equal(surface, "link");
  else if (contentType.includes("problem+json")) fits(problemDetailsSchema, headers, text, contentType);
  else fits(errorSchemaOf(surface, status), headers, text, "application/json; charset=utf-8");
  if (status === 401) assert.equal(headers["www-authenticate"], "Bearer");
  if (status === 405) assert.notEqual(headers.allow ?? "", "");
  if (status === 429 || status === 503) assert.match(headers["retry-after"] ?? "", /^[1-9]\d*$/);
}

/** The body is what the schema says, no field less and none more. */
function fits(schema: z.ZodType, headers: HostResponse["headers"], text: string, contentType: string): void {
  assert.equal(headers["content-type"], contentType);
  const body: unknown = JSON.parse(text);
  const parsed = schema.safeParse(body);
  assert.ok(parsed.success, `the body does not fit its schema: ${parsed.error?.message}\n${text}`);
  assert.deepEqual(parsed.data, body);
}
