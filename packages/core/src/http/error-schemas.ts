import { z } from "zod";
import { FIELD_CODES } from "../kernel/problem.js";
import type { Route, Surface } from "./route.js";

const fieldErrorSchema = z
  .object({
    field: z.string().describe("A path such as `items[0].quantity`; empty = the whole request."),
    code: z.enum(FIELD_CODES),
    message: z.string(),
  })
  .meta({ id: "FieldError" });

/** Errors of the public surface, and every 429. Source: contract, Errors, shape B. */
export const flatErrorSchema = z
  .object({
    error: z.string().describe("Error code in lower case: validation_error, resource_not_found …"),
    message: z.string(),
    details: z
      .record(z.string(), z.unknown())
      .describe("`resource` and `id` (404), `limit`, `remaining` and `resetAt` (429) …"),
  })
  .meta({ id: "Error" });

/** A flat 400 or 422. */
export const validationErrorSchema = flatErrorSchema
  .extend({
    error: z.literal("validation_error"),
    details: z.looseObject({
      errors: z.array(fieldErrorSchema).describe("The wrong fields; empty if a rule concerns no single field."),
      rule: z.string().optional().describe("With 422: the business rule that failed."),
    }),
  })
  .meta({ id: "ValidationError" });

/** Errors of the management surface. Source: contract, Errors, shape A. */
export const nestedErrorSchema = z
  .object({
    error: z.object({
      code: z.string().describe("Error code: VALIDATION_ERROR, RESOURCE_NOT_FOUND …"),
      message: z.string(),
      details: z.array(z.object({ field: z.string(), message: z.string() })),
      rule: z.string().optional().describe("With 422: the business rule that failed."),
    }),
  })
  .meta({ id: "NestedError" });

/** Errors for clients that accept `application/problem+json`. Source: RFC 9457. */
export const problemDetailsSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    details: z.record(z.string(), z.unknown()),
    errors: z.array(fieldErrorSchema).optional().describe("With 400 and 422: as in `ValidationError`."),
  })
  .meta({ id: "ProblemDetails" });

/** The schema of an error as `application/json`. */
export function errorSchemaOf(surface: Surface, status: number): z.ZodType {
  if (surface === "management" && status !== 429) return nestedErrorSchema;
  return status === 400 || status === 422 ? validationErrorSchema : flatErrorSchema;
}

/** Whether a rate limit may refuse a request of the route. */
export function isCounted({ auth, uncounted }: Route): boolean {
  return auth.kind !== "none" && !uncounted;
}

/** Every status of a route: those it declares and those that follow from its definition. */
export function statusesOf(route: Route): readonly number[] {
  const hasInput = route.body.reading !== "none";
  const implied = [
    [route.success.status, true],
    [200, route.success.again === 200],
    [303, route.surface === "link" && route.method === "POST" && route.calculates !== true], // redirects a browser to the page
    [304, route.method === "GET" && route.success.headers?.includes("etag") === true],
    [400, true], // any query may be malformed
    [401, route.auth.kind !== "none"],
    [403, route.auth.kind !== "none"], // the scope, the address, the role or another site
    [409, route.idempotent],
    [413, hasInput],
    [415, hasInput],
    [422, route.idempotent],
    [429, isCounted(route) || (route.surface === "link" && !route.uncounted)],
    [500, true],
    [501, route.body.reading === "file" || route.download !== false],
    [503, true],
  ] as const;
  const statuses = implied.filter(([, applies]) => applies).map(([status]) => status);
  return [...new Set<number>([...statuses, ...route.refusals])].sort((a, b) => a - b);
}
