// An ESM application on Hono that imports every package, and a client of it.
import { budgetkitHono } from "@budgetkit/adapter-hono";
import { createClient } from "@budgetkit/client";
import { verifyWebhook } from "@budgetkit/client/webhooks";
import { createBudgetService } from "@budgetkit/core";
import { toFetchHandler } from "@budgetkit/core/http";
import { dashboardHandler } from "@budgetkit/dashboard";
import { redisLimiter } from "@budgetkit/limiter-redis";
import { referencePage } from "@budgetkit/reference";
import { createGroupCommit } from "@budgetkit/store-kit";
import { postgresStore } from "@budgetkit/store-postgres";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { memoryStore } from "@budgetkit/testing";
import { Hono } from "hono";

const baseUrl = "http://localhost/v1";
const service = createBudgetService({
  store: sqliteStore(":memory:"),
  secret: "a secret of at least thirty-two characters",
  publicBaseUrl: baseUrl,
  reference: referencePage(),
});
const business = (await service.businesses.create({ name: "Carpentry" }))._unsafeUnwrap();
const carpenter = { kind: "system", businessId: business.id } as const;
const key = (await service.keys.create(carpenter, { name: "shop", scopes: ["WRITE_BUDGETS"] }))._unsafeUnwrap();

const app = new Hono()
  .route("/v1", budgetkitHono(service))
  .route("/dashboard", budgetkitHono(dashboardHandler({ service })));
const client = createClient({ baseUrl, apiKey: key.key, fetch: async (url, init) => app.request(String(url), init) });
const items = [{ description: "Oak table", quantity: 1, unitPrice: 450 }];
const budget = await client.budgets.create({ customerId: "ana", taxRate: 0.21, items });
const { openapi } = await client.getOpenApi();
const page = await app.request("/v1/docs");
const dashboard = await app.request("/dashboard/login");
if (!(await dashboard.text()).includes("<!doctype html>")) throw new Error(`the dashboard answers ${dashboard.status}`);
await service.stop();

const imported = [verifyWebhook, toFetchHandler, createGroupCommit, memoryStore, redisLimiter, postgresStore];
console.log(
  JSON.stringify({ total: budget.total, openapi, page: page.status, imported: imported.map((each) => typeof each) }),
);
