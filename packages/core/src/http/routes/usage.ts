import { z } from "zod";
import { dashboardStatistics } from "../../usage/dashboard.js";
import { keyStatistics } from "../../usage/statistics.js";
import { statisticsQuerySchema } from "../../usage/statistics-query.js";
import { dashboardSchema, keyStatisticsSchema } from "../../usage/statistics-view-schema.js";
import { defineRoute, noBody, nothing, type Route } from "../route.js";

export const usageRoutes: readonly Route[] = [
  defineRoute({
    operationId: "getApiKeyStatistics",
    summary: "How an API key was used within a period that ends now",
    method: "GET",
    paths: ["/api-keys/{keyId}/stats", "/api/developer/api-keys/{keyId}/stats"],
    surface: "management",
    auth: { kind: "user" },
    params: z.object({ keyId: z.string() }),
    query: statisticsQuerySchema,
    body: noBody,
    success: { status: 200, schema: keyStatisticsSchema },
    refusals: [403, 404],
    handler: async ({ context, actor, params, query }) =>
      (await keyStatistics(context.usage, actor, params.keyId, query)).map((body) => ({ body })),
  }),
  defineRoute({
    operationId: "getDashboardStatistics",
    summary: "Requests, keys, webhooks and budgets of the business at a glance",
    method: "GET",
    paths: ["/api/developer/dashboard/stats"],
    surface: "management",
    auth: { kind: "user" },
    params: nothing,
    query: statisticsQuerySchema,
    body: noBody,
    success: { status: 200, schema: dashboardSchema },
    refusals: [403],
    handler: async ({ context, actor, query }) =>
      (await dashboardStatistics(context.usage, actor, query)).map((body) => ({ body })),
  }),
];
