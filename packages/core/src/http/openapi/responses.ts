import { flatErrorSchema, nestedErrorSchema, problemDetailsSchema, statusesOf } from "../error-schemas.js";
import { type Refusal, renderRefusal } from "../responses.js";
import type { Route, Surface } from "../route.js";
import type { OperationExample } from "./example.js";
import { errorHeaders, successHeaders } from "./headers.js";
import type { Json, SchemaWriter } from "./json-schema.js";

/** Refusals as they could happen, one a status. */
const REFUSALS: Readonly<Record<number, Refusal>> = {
  400: {
    kind: "invalid",
    errors: [{ field: "items[0].quantity", code: "MIN_VALUE", message: "This must be more than 0." }],
  },
  401: { kind: "unauthorized" },
  403: { kind: "forbidden", message: "The credential does not cover this." },
  404: { kind: "not-found", resource: "budget", id: "1042" },
  409: { kind: "conflict", message: "A request with this idempotency key is under way.", details: {} },
  412: { kind: "stale", message: "The version has changed since." },
  413: { kind: "too-large", limitBytes: 1_048_576 },
  415: { kind: "unsupported-media-type", expected: "application/json" },
  422: {
    kind: "rule",
    rule: "INVALID_TRANSITION",
    message: "A budget that is APPROVED cannot become REJECTED.",
    details: {},
  },
  429: { kind: "rate-limited", limit: 1_000, remaining: 0, resetAtMs: Date.UTC(2026, 2, 2, 12, 0, 30) },
  500: { kind: "internal", requestId: "order-4711" },
  501: { kind: "not-implemented", message: "This service keeps no files." },
  503: { kind: "unavailable", retryAfterSeconds: 5 },
};

const WHEN: Readonly<Record<number, string>> = {
  400: "A parameter, a header or the body is not valid.",
  401: "There is no credential, or one that is not good.",
  403: "The credential does not cover this: its scope, its role, or the address that it is used from.",
  404: "There is no such thing: unknown, deleted, or another business's.",
  409: "It contradicts what there is, or the first request under the Idempotency-Key is under way.",
  412: "If-Match names another version.",
  413: "The body is too large.",
  415: "The body has another type, or is compressed.",
  422: "A rule of the business forbids it; the error names the rule.",
  429: "Too many requests.",
  500: "A fault of the service.",
  501: "The host keeps no files.",
  503: "The service cannot answer now.",
};

export const ERROR_SCHEMAS = [flatErrorSchema, nestedErrorSchema, problemDetailsSchema];

/** Every answer that a route can give. Refusals are shared: each is put into `shared` and referred to. */
export function responsesOf(
  route: Route,
  example: OperationExample | undefined,
  writer: SchemaWriter,
  shared: Record<string, Json>,
): Json {
  const entries = statusesOf(route).map((status): [string, Json] => {
    if (status < 400) return [String(status), successResponse(route, status, example, writer)];
    const name = `${route.surface.replace(/^./, (letter) => letter.toUpperCase())}${status}`;
    shared[name] ??= errorResponse(route.surface, status, writer);
    return [String(status), { $ref: `#/components/responses/${name}` }];
  });
  return Object.fromEntries(entries);
}

function successResponse(
  route: Route,
  status: number,
  example: OperationExample | undefined,
  { schemaOf }: SchemaWriter,
): Json {
  const headers = successHeaders(route, status);
  if (status === 303) return { description: "A browser is sent back to the page.", headers };
  if (status === 304) return { description: "You have it already.", headers };
  const { download, success, surface } = route;
  const shown = example === undefined ? {} : { example: example.answer };
  const description = status === 201 ? "Made." : success.status === 201 ? "It was there already." : "Done.";
  if (download) {
    return { description: "The file.", headers, content: { "*/*": { schema: { type: "string" }, ...shown } } };
  }
  const content = {
    "application/json": { schema: schemaOf(success.schema, "output"), ...shown },
    ...(surface === "link" && route.method === "GET" ? { "text/html": { schema: { type: "string" } } } : {}),
  };
  return { description, headers, content };
}

function errorResponse(surface: Surface, status: number, { schemaOf }: SchemaWriter): Json {
  const refusal = REFUSALS[status];
  if (refusal === undefined) throw new Error(`no refusal has the status ${status}`);
  const now = Date.UTC(2026, 2, 2, 12);
  const bodyFor = (accept: string | null): unknown =>
    JSON.parse(String(renderRefusal(refusal, { surface, accept, now, back: null }).body));
  const isNested = surface === "management" && status !== 429;
  return {
    description: WHEN[status],
    headers: errorHeaders(surface, status),
    content: {
      "application/json": {
        schema: schemaOf(isNested ? nestedErrorSchema : flatErrorSchema, "output"),
        example: bodyFor(null),
      },
      "application/problem+json": {
        schema: schemaOf(problemDetailsSchema, "output"),
        example: bodyFor("application/problem+json"),
      },
      ...(surface === "link" ? { "text/html": { schema: { type: "string" } } } : {}),
    },
  };
}
