import assert from "node:assert/strict";
import { targetOf } from "@budgetkit/core/http";
import type { HostRequest, HostResponse } from "@budgetkit/testing";
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { createRouter, withoutVersion } from "../../packages/core/src/http/router.js";

type Json = Readonly<Record<string, unknown>>;

/** An operation of the document with its references followed. */
export interface DocumentedOperation {
  readonly method: string; // upper case
  readonly path: string;
  readonly operationId: string;
  readonly security: readonly Json[];
  readonly parameters: readonly Parameter[];
  readonly requestBody: { readonly content: Readonly<Record<string, Media>> } | null;
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Json;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Media {
  readonly schema: Json;
  readonly example?: unknown;
}

interface DocumentedHeader {
  readonly required?: boolean;
  readonly schema: Json;
}

interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, DocumentedHeader>>; // by names in lower case
  readonly content?: Readonly<Record<string, Media>>;
}

/** What the description of the interface says, to hold requests and answers to. */
export interface Documentation {
  readonly operations: readonly DocumentedOperation[];
  readonly callbacks: ReadonlyMap<string, DocumentedOperation>; // by event
  /** Fails unless a value fits a schema of the document. */
  check(schema: Json, value: unknown): void;
  /** The same, without a field that the schema does not name. */
  checkExactly(schema: Json, value: unknown): void;
  /** Fails unless status, headers and body of an answer are what is documented, no field more and none less. */
  checkAnswer(request: Pick<HostRequest, "method" | "path">, response: HostResponse): void;
}

/** What hosts add, and what media types say. */
const UNDOCUMENTED = new Set([
  "connection",
  "content-length",
  "content-type",
  "date",
  "keep-alive",
  // With the option trustedOrigins alone, and of the Fetch standard.
  "access-control-allow-credentials",
  "access-control-allow-origin",
  "access-control-expose-headers",
  "transfer-encoding",
  "x-powered-by",
]);

const read = new Map<string, Documentation>();

/** Reads the text of Budgetkit's OpenAPI document. Compiling its schemas takes seconds, so each text is read once. */
export function readDocumentation(text: string): Documentation {
  const documentation = read.get(text) ?? parseDocumentation(text);
  read.set(text, documentation);
  return documentation;
}

function parseDocumentation(text: string): Documentation {
  const document: Json = JSON.parse(text);
  const operations = operationsIn(document, "paths");
  const open = validators(document, (schema) => schema);
  const closed = validators(document, withoutMore);
  const router = createRouter(operations.map((operation) => ({ ...operation, paths: [operation.path] as const })));
  return {
    operations,
    callbacks: new Map(operationsIn(document, "webhooks").map((operation) => [operation.path, operation])),
    check: open,
    checkExactly: closed,
    checkAnswer: ({ method, path }, response) => {
      const match = router.match(method, withoutVersion(targetOf(path).split("?")[0] ?? ""));
      if (match.kind !== "found") return;
      const { operationId, responses } = match.route;
      const documented = responses[String(response.status)];
      assert.ok(documented !== undefined, `${operationId} has no documented ${response.status}: ${response.text}`);
      checkHeaders(documented, response.headers, closed, operationId);
      if (method !== "HEAD") checkBody(documented, response, closed, operationId);
    },
  };
}

function checkHeaders(
  { headers = {} }: DocumentedResponse,
  sent: HostResponse["headers"],
  check: Documentation["check"],
  operationId: string,
): void {
  for (const [name, value] of Object.entries(sent)) {
    if (UNDOCUMENTED.has(name)) continue;
    if (name === "vary" && value === "Origin") continue;
    const header = headers[name];
    assert.ok(header !== undefined, `${operationId} has no documented header ${name}`);
    const isNumber = header.schema.type === "integer" || typeof header.schema.const === "number";
    check(header.schema, isNumber ? Number(value) : value);
  }
  for (const [name, { required }] of Object.entries(headers)) {
    if (required === true) assert.ok(sent[name] !== undefined, `${operationId} was answered without ${name}`);
  }
}

function checkBody(
  { content }: DocumentedResponse,
  { headers, text }: HostResponse,
  check: Documentation["check"],
  operationId: string,
): void {
  if (content === undefined) {
    assert.equal(text, "");
    return;
  }
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  const media = content[type] ?? content["*/*"];
  assert.ok(media !== undefined, `${operationId} has no documented ${type}`);
  const isJson = type === "application/json" || type === "application/problem+json";
  check(media.schema, isJson && content["*/*"] === undefined ? JSON.parse(text) : text);
}

function operationsIn(document: Json, section: "paths" | "webhooks"): DocumentedOperation[] {
  const items = Object.entries(Object(document[section]));
  return items.flatMap(([path, item]) =>
    Object.entries(Object(item)).map(([method, operation]): DocumentedOperation => {
      const { responses, ...followed } = follow(document, operation);
      const read = Object.entries(responses).map(([status, response]) => [status, withLowerCase(Object(response))]);
      return {
        requestBody: null,
        ...followed,
        responses: Object.fromEntries(read),
        method: method.toUpperCase(),
        path,
      };
    }),
  );
}

function withLowerCase({ headers = {}, ...response }: DocumentedResponse): DocumentedResponse {
  const named = Object.entries(headers).map(([name, header]) => [name.toLowerCase(), header]);
  return { ...response, headers: Object.fromEntries(named) };
}

/** A value with its references to anything but schemas replaced by what they name. */
function follow(document: Json, value: unknown) {
  const text = JSON.stringify(value, (_key, each: unknown) => {
    const reference: unknown = Object(each).$ref;
    if (typeof reference !== "string" || reference.startsWith("#/components/schemas/")) return each;
    return reference
      .slice(2)
      .split("/")
      .reduce<unknown>((found, step) => Object(found)[step], document);
  });
  return JSON.parse(text);
}

/** Validators of schemas, made when they are first needed. */
function validators(document: Json, prepare: (schema: Json) => Json): Documentation["check"] {
  const code = { optimize: false }; // most schemas check a few answers; to optimize them takes longer
  const ajv = new Ajv2020.default({ strict: true, allowUnionTypes: true, allErrors: true, code });
  addFormats.default(ajv);
  const { schemas }: { schemas: Readonly<Record<string, Json>> } = Object(document.components);
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(placed(prepare(schema)), name);
  const known = new Map<Json, ValidateFunction>();
  const byText = new Map<string, ValidateFunction>(); // the responses share most of their headers
  const compiled = (schema: Json): ValidateFunction => {
    const text = JSON.stringify(schema);
    const validate = byText.get(text) ?? ajv.compile(placed(prepare(schema)));
    byText.set(text, validate);
    return validate;
  };
  return (schema, value) => {
    const validate = known.get(schema) ?? compiled(schema);
    known.set(schema, validate);
    if (!validate(value)) assert.fail(`${ajv.errorsText(validate.errors)}\n${JSON.stringify(value)}`);
  };
}

function placed(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/components/schemas/', '"$ref":"'));
}

/** The schema with every object closed that does not say what else it may hold. */
function withoutMore(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    const isObject = Object(value).type === "object" && typeof Object(value).properties === "object";
    return isObject && Object(value).additionalProperties === undefined
      ? { ...Object(value), additionalProperties: false }
      : value;
  });
}
