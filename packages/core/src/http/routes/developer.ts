import { z } from "zod";
import { eventListSchema, listEvents, listEventsSchema } from "../../events/list-events.js";
import { checkpointSchema, getCheckpoint } from "../../ledger/ledger-checkpoint.js";
import { dashboardStatistics } from "../../usage/dashboard.js";
import { salesStatistics } from "../../usage/sales.js";
import { salesQuerySchema, salesSchema } from "../../usage/sales-view.js";
import { keyStatistics } from "../../usage/statistics.js";
import { dashboardSchema, keyStatisticsSchema, statisticsQuerySchema } from "../../usage/statistics-view.js";
import { byUser, defineRoute, noInput, nothing, type Route, withoutBody } from "../route.js";

/** The event log, the ledger and the statistics. */
export const developerRoutes: readonly Route[] = [
  defineRoute({
    operationId: "listEvents",
    summary: "List the events of the business, newest first",
    method: "GET",
    paths: ["/api/developer/events"],
    ...byUser,
    params: nothing,
    query: listEventsSchema,
    body: withoutBody,
    success: { status: 200, schema: eventListSchema },
    refusals: [403],
    handler: async ({ context, actor, query }) =>
      (await listEvents({ store: context.events }, actor, query)).map((body) => ({ body })),
  }),
  defineRoute({
    ...byUser,
    ...noInput,
    operationId: "getLedgerCheckpoint",
    summary: "Get a signed checkpoint of the ledger: its last entry, by sequence and hash, and the time",
    method: "GET",
    paths: ["/api/developer/business/ledger/checkpoint"],
    params: nothing,
    success: { status: 200, schema: checkpointSchema },
    refusals: [409],
    handler: async ({ context, actor, now }) =>
      (await getCheckpoint(context.ledger, actor, now)).map((body) => ({ body })),
  }),
  defineRoute({
    operationId: "getApiKeyStatistics",
    summary: "Get the usage of an API key in a period that ends now",
    method: "GET",
    paths: ["/api-keys/{keyId}/stats", "/api/developer/api-keys/{keyId}/stats"],
    ...byUser,
    params: z.object({ keyId: z.string() }),
    query: statisticsQuerySchema,
    body: withoutBody,
    success: { status: 200, schema: keyStatisticsSchema },
    refusals: [403, 404],
    handler: async ({ context, actor, params, query }) =>
      (await keyStatistics(context.usage, actor, params.keyId, query)).map((body) => ({ body })),
  }),
  defineRoute({
    operationId: "getDashboardStatistics",
    summary: "Get figures on requests, keys, webhooks and budgets of the business",
    method: "GET",
    paths: ["/api/developer/dashboard/stats"],
    ...byUser,
    params: nothing,
    query: statisticsQuerySchema,
    body: withoutBody,
    success: { status: 200, schema: dashboardSchema },
    refusals: [403],
    handler: async ({ context, actor, query }) =>
      (await dashboardStatistics(context.usage, actor, query)).map((body) => ({ body })),
  }),
  defineRoute({
    operationId: "getSalesStatistics",
    summary: "Get the value of sent budgets by week, currency and outcome, and what is open",
    method: "GET",
    paths: ["/api/developer/sales"],
    ...byUser,
    params: nothing,
    query: salesQuerySchema,
    body: withoutBody,
    success: { status: 200, schema: salesSchema },
    refusals: [403],
    handler: async ({ context, actor, query }) =>
      (await salesStatistics(context.usage, actor, query)).map((body) => ({ body })),
  }),
];
