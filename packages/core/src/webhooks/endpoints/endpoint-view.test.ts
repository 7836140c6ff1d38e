import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { parseInput } from "../../kernel/validation.js";
import { createEndpointSchema } from "./endpoint-view.js";

const URL = "https://hooks.example/budgets";

function refusedFields(schema: z.ZodType, input: unknown): string[] {
  const problem = parseInput(schema, input)._unsafeUnwrapErr();
  return problem.kind === "invalid" ? problem.errors.map(({ field, code }) => `${field}:${code}`) : [];
}

describe("createEndpointSchema", () => {
  it.each([
    [{}, "url:REQUIRED"],
    [{ url: 7 }, "url:INVALID_TYPE"],
    [{ url: URL, events: [] }, "events:MIN_LENGTH"],
    [{ url: URL, events: ["budget.exploded"] }, "events[0]:INVALID_VALUE"],
    [{ url: URL, events: ["budget.created", "budget.created"] }, "events:INVALID_VALUE"],
    [{ url: URL, secret: "short" }, "secret:MIN_LENGTH"],
    [{ url: URL, secret: "whsec_not-base64-at-all" }, "secret:INVALID_FORMAT"],
    [{ url: URL, allowedIps: ["10/8"] }, "allowedIps[0]:INVALID_FORMAT"],
    [{ url: URL, status: "PAUSED" }, "status:INVALID_VALUE"],
    [{ url: URL, ordering: "business" }, "ordering:INVALID_VALUE"],
    [{ url: URL, retryPolicy: {} }, "retryPolicy.delaysSeconds:REQUIRED"],
    [{ url: URL, retryPolicy: { delaysSeconds: [] } }, "retryPolicy.delaysSeconds:MIN_LENGTH"],
    [{ url: URL, retryPolicy: { delaysSeconds: [5] } }, "retryPolicy.delaysSeconds:INVALID_VALUE"],
    [{ url: URL, retryPolicy: { delaysSeconds: [0, -1] } }, "retryPolicy.delaysSeconds[1]:MIN_VALUE"],
    [{ url: URL, retryPolicy: { delaysSeconds: [0, 0, 60, 0] } }, "retryPolicy.delaysSeconds[1]:MIN_VALUE"],
    [{ url: URL, retryPolicy: { delaysSeconds: [0, 0, 60, 0] } }, "retryPolicy.delaysSeconds[3]:MIN_VALUE"],
    [{ url: URL, retryPolicy: { delaysSeconds: [0, 86_401] } }, "retryPolicy.delaysSeconds[1]:MAX_VALUE"],
    [{ url: URL, retryPolicy: { delaysSeconds: [0, 1.5] } }, "retryPolicy.delaysSeconds[1]:INVALID_TYPE"],
    [{ url: URL, retryPolicy: { delaysSeconds: new Array(13).fill(1) } }, "retryPolicy.delaysSeconds:MAX_LENGTH"],
  ])("createEndpointSchema refuses %j", (input, field) => {
    expect(refusedFields(createEndpointSchema, input)).toContain(field);
  });

  it.each([86_400, 1])("createEndpointSchema accepts the longest policy, with delays of %i seconds", (delay) => {
    const retryPolicy = { delaysSeconds: [0, ...new Array(11).fill(delay)] };
    expect(createEndpointSchema.parse({ url: URL, retryPolicy }).retryPolicy).toEqual(retryPolicy);
  });
});
