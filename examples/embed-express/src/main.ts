import { randomBytes } from "node:crypto";
import { budgetkitExpress } from "@budgetkit/adapter-express";
import { createBudgetService, type Role } from "@budgetkit/core";
import { dashboardHandler } from "@budgetkit/dashboard";
import { sqliteStore } from "@budgetkit/store-sqlite";
import express from "express";

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

const app = express();
app.use("/dashboard", budgetkitExpress(dashboardHandler({ service })));
app.use("/v1", budgetkitExpress(service));
app.post("/orders", express.json(), async (request, response) => {
  const { customer, items } = request.body;
  const budget = await service.budgets.create(carpenter, { customerId: customer, items });
  if (budget.isErr()) {
    response.status(400).json({ error: budget.error });
    return;
  }
  const id = String(orders.size + 1);
  orders.set(id, { customer, budgetId: budget.value.id });
  response.status(201).json({ id, customer, budget: budget.value });
});
app.get("/orders/:id", async ({ params: { id } }, response) => {
  const order = orders.get(id);
  if (!order) {
    response.status(404).json({ error: "no such order" });
    return;
  }
  const budget = await service.budgets.get(carpenter, order.budgetId);
  if (budget.isOk()) response.json({ id, customer: order.customer, budget: budget.value });
  else response.status(404).json({ error: budget.error });
});

const server = app.listen(port, "127.0.0.1", () => console.log(`The carpentry listens on http://localhost:${port}`));
process.once("SIGTERM", () => {
  server.close(() => service.stop().then(store.close));
});
