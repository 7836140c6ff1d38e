import { sha256Hex } from "../../kernel/digest.js";
import type { PublicDocument } from "../public-document.js";
import type { Route } from "../route.js";
import { routes } from "../route-table.js";
import { API_VERSION } from "../version.js";
import { callbackSchemas, callbacksOf } from "./callbacks.js";
import type { OperationExample } from "./example.js";
import { callbackExamples, operationExamples } from "./examples.js";
import { HEADERS } from "./headers.js";
import { createSchemaWriter, type Json, type SchemaWriter } from "./json-schema.js";
import { HEADER_PARAMETERS, parametersOf } from "./parameters.js";
import { requestBodyOf } from "./request-body.js";
import { ERROR_SCHEMAS, responsesOf } from "./responses.js";
import { tagOf, tags } from "./tags.js";

/** The whole interface as an OpenAPI document. `publicBaseUrl` is where it is mounted. */
export function writeDescription(publicBaseUrl: string): PublicDocument {
  const text = JSON.stringify(openApiOf(publicBaseUrl));
  return { text, etag: `"${sha256Hex(text)}"` };
}

function openApiOf(publicBaseUrl: string): Json {
  const callbacks = callbackSchemas();
  const writer = createSchemaWriter({
    input: routes.flatMap(({ params, query, body }) => [params, query, body.schema]),
    output: [...ERROR_SCHEMAS, ...routes.map(({ success }) => success.schema), ...callbacks.values()],
  });
  const responses: Record<string, Json> = {};
  const paths = pathsOf(writer, responses);
  const webhooks = callbacksOf(callbacks, callbackExamples(), writer);
  return {
    openapi: "3.1.0",
    info: {
      title: "Budgetkit",
      version: API_VERSION,
      description: ABOUT,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: publicBaseUrl }],
    tags,
    paths,
    webhooks,
    components: {
      schemas: sorted(writer.components),
      parameters: HEADER_PARAMETERS,
      headers: HEADERS,
      responses: sorted(responses),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

function sorted(components: Readonly<Record<string, Json>>): Json {
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const ABOUT = `Budgets (quotes made up of items for a customer), the catalog behind them, and callbacks about them.

Amounts are numbers in the currency's major unit. Times are ISO 8601 in UTC; a date that is sent is a date-time with an
offset or a plain day. Errors come in the shape of their path, or as RFC 9457 has them where a request accepts
\`application/problem+json\`. Answers may gain fields: ignore those that you do not know. HEAD is answered wherever GET
is, without the body.`;

const SECURITY_SCHEMES: Json = {
  apiKey: {
    type: "http",
    scheme: "bearer",
    description: "An API key with the scope that the operation names.",
  },
  login: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The access_token of a login, or whatever the host's own login asks for.",
  },
};

function pathsOf(writer: SchemaWriter, responses: Record<string, Json>): Json {
  const paths: Record<string, Record<string, Json>> = {};
  const examples = operationExamples();
  for (const route of routes) {
    const operation = operationOf(route, examples[route.operationId], writer, responses);
    for (const [index, path] of route.paths.entries()) {
      const item = paths[path] ?? {};
      paths[path] = item;
      item[route.method.toLowerCase()] = index === 0 ? operation : aliasOf(operation, route, index);
    }
  }
  return paths;
}

function operationOf(
  route: Route,
  example: OperationExample | undefined,
  writer: SchemaWriter,
  responses: Record<string, Json>,
): Json {
  const { operationId, summary } = route;
  const requestBody = requestBodyOf(route, example, writer);
  return {
    operationId,
    summary,
    description: needsOf(route),
    tags: [tagOf(route)],
    security: securityOf(route),
    parameters: parametersOf(route, example, writer),
    ...(requestBody === null ? {} : { requestBody }),
    responses: responsesOf(route, example, writer, responses),
  };
}

/** The same operation under another path: ids of operations are unique. */
function aliasOf(operation: Json, { operationId, paths: [main] }: Route, index: number): Json {
  return {
    ...operation,
    operationId: `${operationId}Alias${index === 1 ? "" : index}`,
    description: `The same as \`${operationId}\` at \`${main}\`. ${operation.description}`,
  };
}

function needsOf({ auth, role, idempotent }: Route): string {
  const once = idempotent ? " Takes an Idempotency-Key." : "";
  if (auth.kind === "none") return `Needs no credential.${once}`;
  if (auth.kind === "key") return `Needs an API key with the scope \`${auth.scope}\`.${once}`;
  return `Needs the login of ${role === "administrator" ? "an OWNER or ADMIN" : "any user"}.${once}`;
}

/** OpenAPI 3.1 lets every scheme name what it has to cover. */
function securityOf({ auth }: Route): Json[] {
  if (auth.kind === "none") return [];
  return auth.kind === "key" ? [{ apiKey: [auth.scope] }] : [{ login: [] }];
}
