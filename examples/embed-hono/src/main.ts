import { randomBytes } from "node:crypto";
import { budgetkitHono } from "@budgetkit/adapter-hono";
import { createBudgetService, type Role } from "@budgetkit/core";
import { dashboardHandler } from "@budgetkit/dashboard";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { serve } from "@hono/node-server";
import { Hono } from "hono";

// A carpentry application. In production its database stores the sessions, the orders and the business id.
const sessions = new Map<string, { userId: string; role: Role }>();
const orders = new Map<string, { customer: string; budgetId: string }>();
if (process.env.DEMO_SESSION) sessions.set(process.env.DEMO_SESSION, { userId: "1", role: "OWNER" });

const port = Number(process.env.PORT ?? 3000);
const store = sqliteStore(":memory:");
const service = createBudgetService({
  store,
  secret: process.env.BUDGETKIT_SECRET ?? randomBytes(32).toString("hex"),
  publicBaseUrl: `http://localhost:${port}/v1`,
  // A user of this application may manage API keys and use the dashboard without a second login.
  resolveUser: async (request) => {
    const [, ofCookie = ""] = /(?:^|; )session=([^;]+)/.exec(request.header("cookie") ?? "") ?? [];
    const user = sessions.get(request.header("x-session") ?? ofCookie);
    return user ? { businessId: carpenter.businessId, ...user } : null;
  },
});
const business = await service.businesses.create({ name: "Carpentry" });
if (business.isErr()) throw new Error(business.error.kind);
const carpenter = { kind: "system", businessId: business.value.id } as const;
await service.start();

const app = new Hono();
app.post("/orders", async (context) => {
  const { customer, items } = await context.req.json();
  const budget = await service.budgets.create(carpenter, { customerId: customer, items });
  if (budget.isErr()) return context.json({ error: budget.error }, 400);
  const id = String(orders.size + 1);
  orders.set(id, { customer, budgetId: budget.value.id });
  return context.json({ id, customer, budget: budget.value }, 201);
});
app.get("/orders/:id", async (context) => {
  const id = context.req.param("id");
  const order = orders.get(id);
  if (!order) return context.json({ error: "no such order" }, 404);
  const budget = await service.budgets.get(carpenter, order.budgetId);
  return budget.isOk()
    ? context.json({ id, customer: order.customer, budget: budget.value })
    : context.json({ error: budget.error }, 404);
});
app.route("/dashboard", budgetkitHono(dashboardHandler({ service })));
app.route("/v1", budgetkitHono(service));

const server = serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, () =>
  console.log(`The carpentry listens on http://localhost:${port}`),
);
process.once("SIGTERM", () => {
  server.close(() => service.stop().then(store.close));
});
