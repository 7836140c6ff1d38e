import { MAX_FILE_BYTES } from "../../attachments/attachment.js";
import type { Route } from "../route.js";
import type { Json, SchemaWriter } from "./json-schema.js";

/** A recorded request and the body of its response. */
export interface OperationExample {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown; // absent = none
  readonly answer: unknown; // JSON, or the text of a file
}

/** Request headers, by the name of their component. */
export const HEADER_PARAMETERS: Readonly<Record<string, Json>> = {
  RequestId: header("X-Request-Id", "Your own id for the request; the response returns it.", {
    schema: { type: "string", pattern: "^[A-Za-z0-9._:-]{1,128}$" },
    example: "order-4711",
  }),
  IfNoneMatch: header("If-None-Match", "ETags that you have: 304 if the response would have one of them.", {
    schema: { type: "string" },
    example: '"v3-0a1b2c3d"',
  }),
  IfMatch: header("If-Match", "ETags of the version to change: 412 if the stored version differs. * matches any.", {
    schema: { type: "string" },
    examples: { any: { value: "*" }, version: { value: '"v3"' } },
  }),
  Prefer: header("Prefer", "`handling=strict` refuses unknown fields of the body instead of ignoring them.", {
    schema: { type: "string" },
  }),
  IdempotencyKey: header("Idempotency-Key", "Within 24 hours the same request with the same key has one effect.", {
    schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,255}$" },
    example: "4c1f7f0e-order-4711",
  }),
};

function header(name: string, description: string, rest: Json): Json {
  return { name, in: "header", description, ...rest };
}

/** The path, query and header parameters of a route, without the credential. */
export function parametersOf(route: Route, example: OperationExample | undefined, { schemaOf }: SchemaWriter): Json[] {
  const { method, success, refusals, idempotent, auth } = route;
  return [
    ...membersOf(schemaOf(route.params, "input")).map(({ name, schema }) => {
      const value = example?.path[name];
      const shown = value === undefined ? {} : { example: value };
      return { name, in: "path", required: true, description: describePath(name), schema, ...shown };
    }),
    ...membersOf(schemaOf(route.query, "input")).map(({ name, schema: { description, ...schema } }) => {
      const value = example?.query[name];
      const shown = value === undefined ? {} : { example: value };
      return { name, in: "query", ...(description === undefined ? {} : { description }), schema, ...shown };
    }),
    ...[
      method === "GET" && success.headers?.includes("etag") === true ? "IfNoneMatch" : null,
      refusals.includes(412) ? "IfMatch" : null,
      idempotent && auth.kind !== "none" ? "IdempotencyKey" : null,
      takesJson(route) ? "Prefer" : null,
      "RequestId",
    ].flatMap((name) => (name === null ? [] : [{ $ref: `#/components/parameters/${name}` }])),
  ];
}

function takesJson({ body }: Route): boolean {
  return body.reading === "required" || body.reading === "optional";
}

interface Member {
  readonly name: string;
  readonly schema: Json;
}

function membersOf({ properties = {} }: Json): Member[] {
  return Object.entries(Object(properties)).map(([name, schema]) => ({ name, schema: Object(schema) }));
}

/** Describes a path parameter by its name, such as `webhookId`. */
function describePath(name: string): string {
  if (name === "token") return "Token of the public link.";
  if (name === "revision") return "Number of the revision, from 1.";
  if (name === "subscriberId") return "Id of the webhook endpoint or API key that receives the deliveries.";
  return `Id of the ${name.replace(/Id$/, "")}.`;
}

const KIB = 1024;

/** The request body of a route; null = none. */
export function requestBodyOf(
  { body, bodyLimitBytes }: Route,
  example: OperationExample | undefined,
  { schemaOf }: SchemaWriter,
): Json | null {
  if (body.reading === "none") return null;
  const shown = example?.body === undefined ? {} : { example: example.body };
  if (body.reading === "file") {
    const media = { schema: FILE_FORM, ...shown };
    const description = `One file in the part \`file\`, of at most ${sizeWords(MAX_FILE_BYTES)}.`;
    return { description, required: true, content: { "multipart/form-data": media } };
  }
  const media = { schema: schemaOf(body.schema, "input"), ...shown };
  return {
    description: `At most ${sizeWords(bodyLimitBytes)}, in UTF-8. Unknown fields are ignored, or refused with \`Prefer: handling=strict\`.`,
    required: body.reading === "required",
    content: {
      "application/json": media,
      ...(body.fromForm === null ? {} : { "application/x-www-form-urlencoded": media }),
    },
  };
}

const FILE_FORM: Json = {
  type: "object",
  properties: {
    file: {
      type: "string",
      contentMediaType: "application/octet-stream",
      description: "The bytes; the part's filename and Content-Type are kept.",
    },
  },
  required: ["file"],
};

function sizeWords(bytes: number): string {
  return bytes >= KIB * KIB ? `${bytes / KIB / KIB} MiB` : `${bytes / KIB} KiB`;
}
