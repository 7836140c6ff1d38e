import {
  invalid,
  notFound,
  TOO_MANY_REQUESTS,
  tooLarge,
  unauthorized,
  unavailable,
  unsupportedMediaType,
} from "../../kernel/problem.js";
import {
  errorSchemaOf,
  flatErrorSchema,
  nestedErrorSchema,
  problemDetailsSchema,
  statusesOf,
  validationErrorSchema,
} from "../error-schemas.js";
import { type RequestError, renderError } from "../render-error.js";
import type { Route, Surface } from "../route.js";
import { errorHeaders, successHeaders } from "./headers.js";
import type { Json, SchemaWriter } from "./json-schema.js";
import type { OperationExample } from "./request.js";

/** An example error for each status. */
const ERRORS: Readonly<Record<number, RequestError>> = {
  400: invalid("items[0].quantity", "MIN_VALUE", "This must be more than 0."),
  401: unauthorized,
  403: { kind: "forbidden", message: "The credential does not cover this." },
  404: notFound("budget", "1000000042"),
  409: { kind: "conflict", message: "A request with this idempotency key is in progress.", details: {} },
  412: { kind: "stale", message: "The version has changed since." },
  413: tooLarge(1_048_576),
  415: unsupportedMediaType("application/json"),
  422: {
    kind: "rule",
    rule: "INVALID_TRANSITION",
    message: "A budget that is APPROVED cannot become REJECTED.",
    details: {},
  },
  429: {
    kind: "rate-limited",
    message: TOO_MANY_REQUESTS,
    limit: 1_000,
    remaining: 0,
    resetAtMs: Date.UTC(2026, 2, 2, 12, 0, 30),
  },
  500: { kind: "internal", requestId: "order-4711" },
  501: { kind: "not-implemented", message: "This service is not configured for it." },
  503: unavailable(5),
};

const WHEN: Readonly<Record<number, string>> = {
  400: "A parameter, a header or the body is not valid.",
  401: "The credential is missing or not valid.",
  403: "The credential lacks the scope or role, or its allow-list excludes the client's address.",
  404: "Not found: unknown, deleted, or of another business.",
  409: "Conflict with the stored data, or the first request with the Idempotency-Key is in progress.",
  412: "The stored version is not in If-Match.",
  413: "The body is too large.",
  415: "The body has another media type, or is compressed.",
  422: "A business rule forbids it; the error names the rule.",
  429: "Too many requests.",
  500: "Internal error.",
  501: "The host has not configured what the operation needs: a store for files, a mailer, or a renderer of PDFs.",
  503: "The service is temporarily unavailable.",
};

export const ERROR_SCHEMAS = [flatErrorSchema, validationErrorSchema, nestedErrorSchema, problemDetailsSchema];

/** The responses of a route. Errors are the same for a surface: each is written once, to `shared`, and referenced. */
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
  if (status === 303) return { description: "Redirects a browser to the page.", headers };
  if (status === 304) return { description: "Not modified.", headers };
  const { download, success, surface } = route;
  const shown = example === undefined ? {} : { example: example.answer };
  const description = status === 201 ? "Created." : success.status === 201 ? "It existed already." : "Success.";
  if (download !== false) {
    const mediaTypes = download === true ? ["*/*"] : download;
    const content = mediaTypes.map((type, index) => [
      type,
      { schema: { type: "string" }, ...(index === 0 ? shown : {}) },
    ]);
    return { description: "The file.", headers, content: Object.fromEntries(content) };
  }
  const hasPage = surface === "link" && (route.method === "GET" || route.calculates === true);
  const content = {
    "application/json": { schema: schemaOf(success.schema, "output"), ...shown },
    ...(hasPage ? { "text/html": { schema: { type: "string" } } } : {}),
  };
  return { description, headers, content };
}

function errorResponse(surface: Surface, status: number, { schemaOf }: SchemaWriter): Json {
  const error = ERRORS[status];
  if (error === undefined) throw new Error(`no example error has the status ${status}`);
  const now = Date.UTC(2026, 2, 2, 12);
  const bodyFor = (accept: string | null): unknown =>
    JSON.parse(String(renderError(error, { surface, accept, now, back: null, wishes: null }).body));
  return {
    description: WHEN[status],
    headers: errorHeaders(surface, status),
    content: {
      "application/json": {
        schema: schemaOf(errorSchemaOf(surface, status), "output"),
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
