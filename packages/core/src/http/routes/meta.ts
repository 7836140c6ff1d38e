import { ok } from "neverthrow";
import { z } from "zod";
import { defineRoute, noBody, nothing, type Route } from "../route.js";
import { API_VERSION } from "../version.js";

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
];
