import { createBudgetService } from "@budgetkit/core";
import { httpSuite, memoryStore } from "@budgetkit/core/testing";
import { describe, expect, it } from "vitest";
import { hosts } from "./http-hosts.js";

for (const [name, start] of Object.entries(hosts)) {
  describe(`HTTP behind ${name}`, () => httpSuite({ describe, it }, start));
}

/** Addresses that lead to a route once their dot segments are resolved. A standard Request has resolved them before. */
const DOTTED = [
  "/v1/api/public/budgets/x/../1",
  "/v1/api/public/budgets/./1",
  "/v1/api/public/nowhere/../budgets",
  "/v1/api/public/nowhere/%2e%2E/budgets",
  "/v1/p/x/../../api-keys",
];

describe.each([
  ["Hono", hosts.Hono],
  ["Express", hosts.Express],
] as const)("Dot segments behind %s", (_name, start) => {
  it.each(DOTTED)("lead nowhere in %s", async (path) => {
    const store = memoryStore();
    const host = await start(createBudgetService({ store, secret: "a secret for tests that is long enough" }));
    try {
      // Every one of the routes would ask for a credential.
      expect((await host.send({ method: "GET", path, headers: {}, body: null })).status).toBe(404);
    } finally {
      await host.close();
      await store.close();
    }
  });
});
