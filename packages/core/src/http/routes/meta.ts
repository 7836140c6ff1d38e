import { ok } from "neverthrow";
import { z } from "zod";
import { defineRoute, noBody, nothing, type Route } from "../route.js";
import { API_VERSION } from "../version.js";

const documentSchema = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.unknown()),
});

export const metaRoutes: readonly Route[] = [
  defineRoute({
    operationId: "describeApi",
    summary: "Name and version of the interface",
    method: "GET",
    paths: ["/"],
    surface: "meta",
    auth: { kind: "none" },
    params: nothing,
    query: nothing,
    body: noBody,
    success: { status: 200, schema: z.object({ name: z.string(), version: z.string() }) },
    refusals: [],
    handler: async () => ok({ body: { name: "Budgetkit", version: API_VERSION } }),
  }),
  defineRoute({
    operationId: "getOpenApi",
    summary: "The interface described by OpenAPI 3.1",
    method: "GET",
    paths: ["/openapi.json"],
    surface: "meta",
    auth: { kind: "none" },
    params: nothing,
    query: nothing,
    body: noBody,
    success: { status: 200, schema: documentSchema, headers: ["etag"] },
    refusals: [],
    handler: async ({ context }) => ok({ document: await context.describe() }),
  }),
];
