import { beforeAll, describe, expect, it, vi } from "vitest";
import { builtServer } from "./build-programs.js";
import { startProgram, temporaryFolder } from "./running-program.js";

vi.setConfig({ testTimeout: 60_000 });

let main = "";
beforeAll(async () => {
  main = await builtServer();
}, 180_000);

/** Asks the server and gives the parsed answer; fails the test for any other status than 200 and 201. */
function clientOf(api: string, credential: string) {
  return async (method: string, path: string, body?: unknown) => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${api}${path}`, {
      method,
      redirect: "manual",
      headers: {
        accept: "application/json",
        ...(credential === "" ? {} : { authorization: `Bearer ${credential}` }),
        ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    expect([200, 201], `${method} ${path}: ${response.status} ${text}`).toContain(response.status);
    return JSON.parse(text);
  };
}

describe("the standalone server", () => {
  it.each(["hono", "express"])("goes all the way from a customer to a paid budget, behind %s", async (framework) => {
    const password = "correct horse battery";
    const server = startProgram(main, {
      PORT: "0",
      BUDGETKIT_FRAMEWORK: framework,
      BUDGETKIT_REFERENCES: "strict",
      BUDGETKIT_ADMIN_PASSWORD: password,
      DATABASE_URL: `file:${temporaryFolder()}/b.db`,
    });
    const api = `${await server.url}/v1`;
    const anyone = clientOf(api, "");
    const login = await anyone("POST", "/auth/login", { email: "admin@example.com", password });
    const owner = clientOf(api, login.access_token);
    const scopes = ["READ", "WRITE"].flatMap((act) => [`${act}_BUDGETS`, `${act}_CUSTOMERS`, `${act}_PRODUCTS`]);
    const { id: keyId, key } = await owner("POST", "/api-keys", { name: "Shop", scopes });
    const shop = clientOf(api, key);

    const customer = await shop("POST", "/api/public/customers", { name: "Ana", cuit: "20-30123456-3" });
    const table = await shop("POST", "/api/public/products", { name: "Oak table", sku: "OAK", unitPrice: 450 });
    const contents = [{ productId: table.data.id, quantity: 2 }];
    const room = await shop("POST", "/api/public/packages", { name: "Two tables", price: 850, items: contents });
    const offer = await shop("POST", "/api/budgets/public", {
      currency: "USD",
      issueDate: "2026-01-01",
      expirationDate: "2099-12-31",
      customerId: Number(customer.data.id),
      sellerId: 7,
      minimumPaymentToConfirm: 300,
      subtotal: 850,
      iva: 178.5,
      total: 1028.5,
      items: [{ packageId: Number(room.data.id), quantity: 1, unitPrice: 850 }],
    });
    const path = `/api/public/budgets/${offer.budgetId}`;
    expect((await shop("GET", path)).data).toMatchObject({
      customer: { name: "Ana" },
      items: [{ description: "Two tables", package: { price: 850, items: [{ name: "Oak table", sku: "OAK" }] } }],
    });
    const form = new FormData();
    form.set("file", new Blob(["a plan of the room"], { type: "text/plain" }), "plan.txt");
    expect((await shop("POST", `${path}/attachments`, form)).data).toMatchObject({ fileName: "plan.txt", size: 18 });
    await shop("PUT", path, { notes: "Delivered on a Friday" });

    const link = new URL(offer.publicUrl).pathname.replace(/^\/v1/, "");
    const shown = await anyone("GET", link);
    expect(shown.data ?? shown).toMatchObject({ total: 1028.5, notes: "Delivered on a Friday" });
    const { version } = shown.data ?? shown;
    await anyone("POST", `${link}/accept`, { version, name: "Ana" });
    expect((await shop("GET", path)).data).toMatchObject({
      status: "PENDING",
      acceptance: { acceptedBy: "customer:Ana" },
    });
    await shop("POST", `${path}/payments`, { amount: 100, reference: "transfer-1" });
    await shop("POST", `${path}/payments`, { amount: 200, reference: "transfer-2" });
    await shop("POST", `${path}/payments`, { amount: 200, reference: "transfer-2" });
    expect((await shop("GET", path)).data).toMatchObject({ status: "APPROVED", paid: 300, approvedBy: "customer:Ana" });

    const revisions = await shop("GET", `${path}/revisions`);
    expect(revisions.data).toMatchObject([{ revision: 2 }, { revision: 1 }]);
    const events = await owner("GET", `/api/developer/events?subjectId=${offer.budgetId}&limit=100`);
    expect(events.data.map(({ event }: { event: string }) => event).reverse()).toEqual([
      "budget.created",
      "budget.updated", // the attachment
      "budget.updated", // the notes
      "budget.updated", // accepted
      "budget.updated", // paid
      "budget.updated", // paid in full
      "budget.approved",
    ]);
    const statistics = await owner("GET", `/api-keys/${keyId}/stats?period=1h`);
    expect(statistics).toMatchObject({ totalRequests: 13, successfulRequests: 13, errorRequests: 0 });
    const dashboard = await owner("GET", "/api/developer/dashboard/stats?period=24h");
    expect(dashboard.budgets).toMatchObject({ byStatus: { APPROVED: 1 } });
    server.signal("SIGTERM");
    expect(await server.end).toBe(0);
  });
});
