import { capital, type Json, membersOf, nameOf, typeOf, writeNamed } from "./type-text.js";

/** The sources that the client has of the description, by their names. */
export interface ClientTypes {
  readonly schemas: string;
  readonly operations: string;
}

const NOTICE = "// Written by tests/client/types.test.ts from the description of the interface.";

/** Queries that several operations have, by the first of these. */
const SHARED_QUERIES: Readonly<Record<string, string>> = {
  listLinkViews: "PageQuery",
  listCustomers: "ListRecordsQuery",
  getApiKeyStatistics: "StatisticsQuery",
  getSalesStatistics: "SalesQuery",
  listDeliveriesOfWebhook: "ListDeliveriesQuery",
};

/** Parts that have a name to the reader but none in the description, where they are written out. */
const PARTS: Readonly<Record<string, string>> = {
  BudgetStatus: "components schemas Budget properties status",
  DeliveryStatus: "components schemas Delivery properties status",
  EventType: "components schemas WebhookTest properties event",
  Scope: "components schemas CreateApiKey properties scopes items",
  WebhookMetadata: "webhooks budget.created post requestBody content application/json schema properties metadata",
};

/** Writes the types of everything that operations take and give, and the table of operations, from an OpenAPI document. */
export function writeClientTypes(text: string): ClientTypes {
  const document: Json = JSON.parse(text);
  const components = membersOf(membersOf(document, "components"), "schemas");
  const all = operationsOf(document);
  const queries = new Map<string, string>(); // name by text
  const operations = all.map((operation) => writeOperation(operation, queries));
  const events = Object.entries(membersOf(document, "webhooks")).map(([event, { post }]) => writeEvent(event, post));
  const taken = reachable(
    all.flatMap(({ requestBody, parameters }) => [requestBody, parameters]),
    components,
  );
  const given = reachable([all.map(successesOf), document.webhooks], components);
  const named = Object.entries(components).filter(([name]) => taken.has(name) || given.has(name));
  const parts = Object.entries(PARTS).map(([name, place]) => ({ name, schema: at(document, place.split(" ")) }));
  const withParts = (code: string) =>
    parts.reduce((text, { name, schema }) => text.replaceAll(typeOf(schema, false, "  "), name), code);
  const unwrapped = (code: string) => code.replaceAll(/\((\w+)\)\[\]/g, "$1[]");
  const body = [
    ...named.map(([name, schema]) => writeNamed(nameOf(name), schema, taken.has(name))),
    ...[...queries].map(([body, name]) => `export interface ${name} ${body}\n`),
    ...["Page", "CursorPage"].map(
      (name) =>
        `export interface ${name}<T> {\n  data: T[];\n  pagination: ${name.replace("Page", "Pagination")};\n}\n`,
    ),
    ...events.map(({ code }) => code),
    "/** The payload of a webhook; `event` is its type. Later versions may add types. */",
    `export type WebhookEvent =\n${events.map(({ name }) => `  | ${name}`).join("\n")};`,
  ].join("\n");
  return {
    schemas: [
      NOTICE,
      "",
      ...parts.map(({ name, schema }) => writeNamed(name, schema, false)),
      unwrapped(withParts(body)),
      "",
    ].join("\n"),
    operations: [
      NOTICE,
      `import type {\n${importsOf(operations.map(({ type }) => type).join("\n"))}} from "./schemas.js";`,
      "",
      "export interface Operations {",
      ...operations.map(({ type }) => type),
      "}",
      "",
      "/** [method, path, credential, whether it takes an Idempotency-Key] */",
      'type Operation = readonly [string, string, "apiKey" | "accessToken" | null, boolean];',
      "",
      "export const OPERATIONS: Readonly<Record<keyof Operations, Operation>> = {",
      ...operations.map(({ entry }) => entry),
      "};",
      "",
    ].join("\n"),
  };
}

interface DocumentOperation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Json[];
  readonly parameters: readonly Json[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, { schema: Json }>> };
  readonly responses: Readonly<Record<string, Json>>;
}

function operationsOf(document: Json): DocumentOperation[] {
  return Object.entries(membersOf(document, "paths")).flatMap(([path, item]) =>
    Object.entries(item)
      .map(([method, operation]): DocumentOperation => ({ method: method.toUpperCase(), path, ...Object(operation) }))
      .filter(({ operationId }) => !/Alias\d*$/.test(operationId)),
  );
}

function successesOf({ responses }: DocumentOperation): Json[] {
  return Object.entries(responses).flatMap(([status, response]) => (Number(status) < 300 ? [response] : []));
}

/** The components that something refers to, and that these refer to. */
function reachable(from: unknown, components: Readonly<Record<string, Json>>, found = new Set<string>()): Set<string> {
  for (const [, name = ""] of JSON.stringify(from).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    reachable(components[name], components, found);
  }
  return found;
}

function writeOperation(operation: DocumentOperation, queries: Map<string, string>): { type: string; entry: string } {
  const { method, path, operationId, summary, description, security, parameters } = operation;
  const input = [
    ...pathInput(path),
    ...queryInput(operationId, parameters, queries),
    ...bodyInput(operation.requestBody),
  ].join("; ");
  const credential = security[0] === undefined ? null : "apiKey" in security[0] ? "apiKey" : "accessToken";
  const isOnce = JSON.stringify(parameters).includes("/IdempotencyKey");
  const taken = input === "" ? "Record<never, never>" : `{ ${input} }`;
  return {
    type: `  /** ${summary}. ${description} */\n  ${operationId}: { input: ${taken}; answer: ${answerOf(operation)} };`,
    entry: `  ${operationId}: ${JSON.stringify([method, path, credential, isOnce])},`.replaceAll('","', '", "'),
  };
}

function pathInput(path: string): string[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  if (names.length === 0) return [];
  return [`path: { ${names.map((name) => `${name}: ${name === "revision" ? "number" : "string"}`).join("; ")} }`];
}

function queryInput(operationId: string, parameters: readonly Json[], queries: Map<string, string>): string[] {
  const queried = parameters.filter((parameter) => parameter.in === "query");
  if (queried.length === 0) return [];
  const properties = Object.fromEntries(
    queried.map(({ name, description, schema }) => [
      name,
      { ...(description ? { description } : {}), ...Object(schema) },
    ]),
  );
  const body = typeOf({ type: "object", properties }, true, "");
  const name = queries.get(body) ?? SHARED_QUERIES[operationId] ?? `${capital(operationId)}Query`;
  queries.set(body, name);
  return [`query?: ${name} | undefined`];
}

function bodyInput(requestBody: DocumentOperation["requestBody"]): string[] {
  const schema = requestBody?.content["application/json"]?.schema;
  if (schema === undefined) return []; // a file is no JSON
  const type = typeOf(schema, true, "  ");
  return requestBody?.required === true ? [`body: ${type}`] : [`body?: ${type} | undefined`];
}

/** What is in `data` where it is alone there or beside a message; a list with its pagination is a page. */
function answerOf(operation: DocumentOperation): string {
  const content = successesOf(operation).map((response) => membersOf(response, "content"));
  const schema: Json | undefined = Object(content[0]?.["application/json"]).schema;
  if (schema === undefined) return "Response";
  const { data, pagination } = membersOf(schema, "properties");
  if (data === undefined) return typeOf(schema, false, "  ");
  if (pagination === undefined) return typeOf(data, false, "  ");
  const page = String(pagination.$ref).endsWith("CursorPagination") ? "CursorPage" : "Page";
  return `${page}<${typeOf(Object(data.items), false, "  ")}>`;
}

function writeEvent(event: string, operation: unknown): { name: string; code: string } {
  const { operationId, summary, requestBody } = Object(operation);
  const name = `${capital(operationId)}Event`;
  const body = typeOf(requestBody.content["application/json"].schema, false, "");
  return { name, code: `/** \`${event}\`: ${summary} */\nexport interface ${name} ${body}\n` };
}

function importsOf(types: string): string {
  const code = types.replaceAll(/\/\*\*.*?\*\/|"[^"]*"/g, "");
  const names = new Set([...code.matchAll(/\b[A-Z]\w+/g)].map(([name]) => name));
  return [...names]
    .filter((name) => !["Record", "Response"].includes(name))
    .sort()
    .map((name) => `  ${name},\n`)
    .join("");
}

function at(document: Json, [key = "", ...keys]: readonly string[]): Json {
  const member = membersOf(document, key);
  return keys.length === 0 ? member : at(member, keys);
}
