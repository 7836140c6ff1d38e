import { ok } from "neverthrow";
import { z } from "zod";
import { API_VERSION } from "../../kernel/fields.js";
import { defineRoute, noInput, nothing, type Route } from "../route.js";

const documentSchema = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.unknown()),
});

export const metaRoutes: readonly Route[] = [
  defineRoute({
    operationId: "describeApi",
    summary: "Get the name and version of the interface",
    method: "GET",
    paths: ["/"],
    surface: "meta",
    auth: { kind: "none" },
    params: nothing,
    ...noInput,
    success: { status: 200, schema: z.object({ name: z.string(), version: z.string() }) },
    refusals: [],
    handler: async () => ok({ body: { name: "Budgetkit", version: API_VERSION } }),
  }),
  defineRoute({
    operationId: "getOpenApi",
    summary: "Get the OpenAPI 3.1 document",
    method: "GET",
    paths: ["/openapi.json"],
    surface: "meta",
    auth: { kind: "none" },
    params: nothing,
    ...noInput,
    success: { status: 200, schema: documentSchema, headers: ["etag"] },
    refusals: [],
    handler: async ({ context }) => ok({ document: await context.describe() }),
  }),
];
