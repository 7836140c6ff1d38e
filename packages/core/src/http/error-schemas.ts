import { z } from "zod";
import type { Route } from "./route.js";

/** Errors of the public surface, and every 429. Source: contract, Errors, shape B. */
export const flatErrorSchema = z
  .object({
    error: z.string().describe("What kind of error, in lower case: validation_error, resource_not_found …"),
    message: z.string(),
    details: z
      .record(z.string(), z.unknown())
      .describe("`errors` of fields (400), `resource` and `id` (404), `rule` (422), `limit` and `resetAt` (429) …"),
  })
  .meta({ id: "Error" });

/** Errors of the management surface. Source: contract, Errors, shape A. */
export const nestedErrorSchema = z
  .object({
    error: z.object({
      code: z.string().describe("What kind of error: VALIDATION_ERROR, RESOURCE_NOT_FOUND …"),
      message: z.string(),
      details: z.array(z.object({ field: z.string(), message: z.string() })),
      rule: z.string().optional().describe("With 422: the rule of the business that was broken."),
    }),
  })
  .meta({ id: "NestedError" });

/** Errors for clients that ask for `application/problem+json`. Source: RFC 9457. */
export const problemDetailsSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    details: z.record(z.string(), z.unknown()),
    errors: z.array(z.object({ field: z.string(), code: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: "ProblemDetails" });

/** Every status that a route may answer with: its own and those that follow from how it is defined. */
export function statusesOf(route: Route): readonly number[] {
  const hasInput = route.body.reading !== "none";
  const implied = [
    [route.success.status, true],
    [200, route.success.again === 200],
    [303, route.surface === "link" && route.method === "POST"], // a browser goes back to the page
    [304, route.method === "GET" && route.success.headers?.includes("etag") === true],
    [400, true], // any query can be malformed
    [401, route.auth.kind !== "none"],
    [403, route.auth.kind !== "none"], // the scope, the address or the role
    [409, route.idempotent],
    [413, hasInput],
    [415, hasInput],
    [422, route.idempotent],
    [429, route.auth.kind === "key"],
    [500, true],
    [501, route.body.reading === "file" || route.download],
    [503, true],
  ] as const;
  const statuses = implied.filter(([, applies]) => applies).map(([status]) => status);
  return [...new Set<number>([...statuses, ...route.refusals])].sort((a, b) => a - b);
}
