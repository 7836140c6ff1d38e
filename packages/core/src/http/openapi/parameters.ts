import type { Route } from "../route.js";
import type { OperationExample } from "./example.js";
import type { Json, SchemaWriter } from "./json-schema.js";

/** Headers that requests may have, by the name of their component. */
export const HEADER_PARAMETERS: Readonly<Record<string, Json>> = {
  RequestId: header("X-Request-Id", "Your own name for the request; the answer carries it back.", {
    schema: { type: "string", pattern: "^[A-Za-z0-9._:-]{1,128}$" },
    example: "order-4711",
  }),
  IfNoneMatch: header("If-None-Match", "ETags that you have: 304 when the answer would be one of them.", {
    schema: { type: "string" },
    example: '"v3-0a1b2c3d"',
  }),
  IfMatch: header("If-Match", "ETags of the version that may be changed: 412 when it is another one. * is any.", {
    schema: { type: "string" },
    examples: { version: { value: '"v3"' }, any: { value: "*" } },
  }),
  IdempotencyKey: header("Idempotency-Key", "Within 24 hours the same request under the same key has one effect.", {
    schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,255}$" },
    example: "4c1f7f0e-order-4711",
  }),
};

function header(name: string, description: string, rest: Json): Json {
  return { name, in: "header", description, ...rest };
}

/** Everything that a request has beside its body and its credential. */
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
      "RequestId",
    ].flatMap((name) => (name === null ? [] : [{ $ref: `#/components/parameters/${name}` }])),
  ];
}

interface Member {
  readonly name: string;
  readonly schema: Json;
}

function membersOf({ properties = {} }: Json): Member[] {
  return Object.entries(Object(properties)).map(([name, schema]) => ({ name, schema: Object(schema) }));
}

/** `webhookId` in words. */
function describePath(name: string): string {
  if (name === "token") return "Token of the public link.";
  if (name === "revision") return "Number of the revision, from 1.";
  if (name === "subscriberId") return "Id of the webhook endpoint or API key that the deliveries go to.";
  return `Id of the ${name.replace(/Id$/, "")}.`;
}
