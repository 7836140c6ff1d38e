import { createClient } from "@budgetkit/client";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../programs/running-program.js";
import { serveHere } from "../programs/server-here.js";

const SCOPES = [
  "READ_BUDGETS",
  "WRITE_BUDGETS",
  "READ_CUSTOMERS",
  "WRITE_CUSTOMERS",
  "READ_PRODUCTS",
  "WRITE_PRODUCTS",
] as const;

describe("the standalone server", () => {
  it.each(["hono", "express"])("a server goes from a customer to a paid budget, behind %s", async (framework) => {
    const password = "correct horse battery";
    const server = await serveHere({
      BUDGETKIT_FRAMEWORK: framework,
      BUDGETKIT_REFERENCES: "strict",
      BUDGETKIT_ADMIN_PASSWORD: password,
      DATABASE_URL: `file:${temporaryFolder()}/b.db`,
    });
    const baseUrl = `${server.url}/v1`;
    const anyone = createClient({ baseUrl });
    const { access_token: accessToken } = await anyone.auth.login({ email: "admin@example.com", password });
    const owner = createClient({ baseUrl, accessToken });
    const { id: keyId, key: apiKey } = await owner.keys.create({ name: "Shop", scopes: SCOPES });
    const { attachments, budgets, customers, packages, products } = createClient({ baseUrl, apiKey, retries: 0 });

    const customer = await customers.create({ name: "Ana", cuit: "20-30123456-3" });
    const table = await products.create({ name: "Oak table", sku: "OAK", unitPrice: 450 });
    const room = await packages.create({
      name: "Two tables",
      price: 850,
      items: [{ productId: table.id, quantity: 2 }],
    });
    const { budgetId, publicToken, publicUrl } = await budgets.createPublic({
      currency: "USD",
      issueDate: "2026-01-01",
      expirationDate: "2099-12-31",
      customerId: Number(customer.id),
      sellerId: 7,
      minimumPaymentToConfirm: 300,
      subtotal: 850,
      iva: 178.5,
      total: 1028.5,
      items: [{ packageId: Number(room.id), quantity: 1, unitPrice: 850 }],
    });
    const id = String(budgetId);
    expect(publicUrl).toBe(`${server.url}/v1/p/${publicToken}`);
    expect(await budgets.get(id)).toMatchObject({
      customer: { name: "Ana" },
      items: [{ description: "Two tables", package: { price: 850, items: [{ name: "Oak table", sku: "OAK" }] } }],
    });
    const plan = new Blob(["a plan of the room"], { type: "text/plain" });
    expect(await attachments.upload(id, plan, { fileName: "plan.txt" })).toMatchObject({
      fileName: "plan.txt",
      size: 18,
    });
    await budgets.update(id, { notes: "Delivered on a Friday" });

    const shown = await anyone.publicLinks.open(publicToken);
    expect(shown).toMatchObject({ total: 1028.5, notes: "Delivered on a Friday" });
    await anyone.publicLinks.accept(publicToken, { version: shown.version, name: "Ana" });
    expect(await budgets.get(id)).toMatchObject({ status: "PENDING", acceptance: { acceptedBy: "customer:Ana" } });
    await budgets.recordPayment(id, { amount: 100, reference: "transfer-1" });
    await budgets.recordPayment(id, { amount: 200, reference: "transfer-2" });
    await budgets.recordPayment(id, { amount: 200, reference: "transfer-2" });
    expect(await budgets.get(id)).toMatchObject({ status: "APPROVED", paid: 300, approvedBy: "customer:Ana" });

    expect((await budgets.listRevisions(id)).data).toMatchObject([{ revision: 2 }, { revision: 1 }]);
    const { data: events } = await owner.events.list({ subjectId: id, limit: 100 });
    const acts = events.map(({ event }) => event).filter((event) => event !== "budget.viewed"); // counted beside the answer
    expect(acts.reverse()).toEqual([
      "budget.created",
      "budget.updated", // the attachment
      "budget.updated", // the notes
      "budget.updated", // accepted
      "budget.updated", // paid
      "budget.updated", // paid in full
      "budget.approved",
    ]);
    const statistics = await owner.usage.statistics(keyId, { period: "1h" });
    expect(statistics).toMatchObject({ totalRequests: 13, successfulRequests: 13, errorRequests: 0 });
    const dashboard = await owner.usage.dashboard({ period: "24h" });
    expect(dashboard.budgets).toMatchObject({ byStatus: { APPROVED: 1 } });
  });
});
