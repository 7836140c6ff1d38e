import { API_VERSION } from "../../kernel/fields.js";
import { sha256Hex } from "../../kernel/secret-box.js";
import type { PublicDocument } from "../http-context.js";
import type { Route } from "../route.js";
import { routes } from "../route-table.js";
import { callbackSchemas, callbacksOf } from "./callbacks.js";
import { callbackExamples, operationExamples } from "./examples.js";
import { HEADERS } from "./headers.js";
import { createSchemaWriter, type Json, type SchemaWriter } from "./json-schema.js";
import { HEADER_PARAMETERS, type OperationExample, parametersOf, requestBodyOf } from "./request.js";
import { ERROR_SCHEMAS, responsesOf } from "./responses.js";
import { tagOf, tags } from "./tags.js";

let latest: (PublicDocument & { readonly publicBaseUrl: string }) | null = null; // null = none was written yet

/**
 * Writes the OpenAPI document. `publicBaseUrl` is the server address in it. Nothing else in it differs between the services
 * of a process: those with one address share the document, because writing it takes long.
 */
export function writeDescription(publicBaseUrl: string): PublicDocument {
  if (latest?.publicBaseUrl !== publicBaseUrl) {
    const text = JSON.stringify(openApiOf(publicBaseUrl));
    latest = { text, etag: `"${sha256Hex(text)}"`, publicBaseUrl };
  }
  return latest;
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

const ABOUT = `Budgets (quotes with items for a customer), the catalog of customers and products, and webhooks.

Amounts are numbers in the currency's major unit. Responses have times in ISO 8601 and UTC; requests may have a date-time
or a date; without an offset they are in the business's time zone. Errors have the shape of their path, or that of RFC 9457 if the request accepts
\`application/problem+json\`. Responses may get new fields: ignore unknown ones. HEAD works wherever GET does.`;

const SECURITY_SCHEMES: Json = {
  apiKey: {
    type: "http",
    scheme: "bearer",
    description: "An API key with the scope of the operation.",
  },
  login: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The access_token of a login, or the credential of the host's own login.",
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

/** The operation at an alias of its path, with an operation id of its own: ids are unique. */
function aliasOf(operation: Json, { operationId, paths: [main] }: Route, index: number): Json {
  return {
    ...operation,
    operationId: `${operationId}Alias${index === 1 ? "" : index}`,
    description: `The same as \`${operationId}\` at \`${main}\`. ${operation.description}`,
  };
}

function needsOf({ auth, role, idempotent }: Route): string {
  const once = idempotent ? " Accepts an Idempotency-Key." : "";
  if (auth.kind === "none") return `Needs no credential.${once}`;
  if (auth.kind === "key") {
    const orLogin = auth.keysAlone ? "" : ", or the login of a user whose role has it";
    return `Needs an API key with the scope \`${auth.scope}\`${orLogin}.${once}`;
  }
  return `Needs the login of ${role === "administrator" ? "an OWNER or ADMIN" : "any user"}.${once}`;
}

/** The key or the login. OpenAPI 3.1 allows scopes for every scheme. */
function securityOf({ auth }: Route): Json[] {
  if (auth.kind === "none") return [];
  if (auth.kind === "user") return [{ login: [] }];
  return [{ apiKey: [auth.scope] }, ...(auth.keysAlone ? [] : [{ login: [auth.scope] }])];
}
