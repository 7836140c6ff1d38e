import assert from "node:assert/strict";
import { type Budget, DAY_MS, type Store, summariesOf } from "@budgetkit/core/store";
import { aCustomer, aProduct, aVariant } from "../catalog-fixtures.js";
import { aBudget, anItem, FIXTURE_TIME } from "../fixtures.js";
import { allAtOnce, type Suite } from "./suite.js";

export function budgetLookupCases(suite: Suite): void {
  publicTokenCases(suite);
  namedBudgetCases(suite);
  overdueCases(suite);
}

function namedBudgetCases({ describe, it }: Suite): void {
  describe("a budget with the names of the catalog", () => {
    const items = [
      anItem({ id: "1", productId: "700", variantId: "v-1" }),
      anItem({ id: "2", productId: "700", variantId: "v-1" }),
      anItem({ id: "3", productId: "701", variantId: null }),
      anItem({ id: "4", productId: null, variantId: null }),
    ];
    const budget = aBudget({ customerId: "500", items });

    it("a named budget has its customer and each product once, as they are now", async (store) => {
      await store.insertBudget(budget, [], null);
      assert.deepEqual(await store.findNamedBudget("1", "10"), { budget, customer: null, products: [] });
      const product = aProduct({ id: "700", variants: [aVariant()] });
      await store.insertProduct(product, [], null);
      await store.insertCustomer(aCustomer({ id: "500", name: "Ana" }), [], null);
      const [customer = null] = await store.findCustomers("1", ["500"]);
      const products = [summariesOf(product)[1]];
      assert.deepEqual(await store.findNamedBudget("1", "10"), { budget, customer, products });
      await store.replaceCustomer(aCustomer({ id: "500", version: 2, name: "Eva" }), 1, [], null);
      await store.replaceProduct(aProduct({ id: "700", version: 2, name: "Ash table", variants: [] }), 1, [], null);
      const renamed = await store.findNamedBudget("1", "10");
      assert.deepEqual([renamed?.customer?.name, renamed?.products.map(({ name }) => name)], ["Eva", ["Ash table"]]);
    });

    it("finds a budget, and the names in it, for their own business alone", async (store) => {
      await store.insertBudget(budget, [], null);
      await store.insertCustomer(aCustomer({ id: "500", businessId: "2" }), [], null);
      await store.insertProduct(aProduct({ id: "701", businessId: "2" }), [], null);
      assert.deepEqual(await store.findNamedBudget("1", "10"), { budget, customer: null, products: [] });
      assert.equal(await store.findNamedBudget("2", "10"), null);
      assert.equal(await store.findNamedBudget("1", "11"), null);
    });
  });
}

function publicTokenCases({ describe, it }: Suite): void {
  describe("following a public link", () => {
    it("finds a budget of any business by the digest of its link's token", async (store) => {
      await store.insertBudget(aBudget({ businessId: "1", id: "10", publicTokenHash: "hash-a" }), [], null);
      await store.insertBudget(aBudget({ businessId: "2", id: "11", publicTokenHash: "hash-b" }), [], null);
      assert.equal((await store.findBudgetByPublicToken("hash-a"))?.id, "10");
      assert.equal((await store.findBudgetByPublicToken("hash-b"))?.businessId, "2");
    });

    for (const unknown of ["hash-c", "HASH-A", "hash-", "hash-a ", "", "null", "%"]) {
      it(`finds no budget by the digest ${JSON.stringify(unknown)}, which none has`, async (store) => {
        await store.insertBudget(aBudget({ id: "10", publicTokenHash: "hash-a" }), [], null);
        await store.insertBudget(aBudget({ id: "11", publicTokenHash: null }), [], null);
        assert.equal(await store.findBudgetByPublicToken(unknown), null);
      });
    }

    it("finds a budget by the token that replaced another, and none by the replaced one", async (store) => {
      await store.insertBudget(aBudget({ publicTokenHash: "hash-a" }), [], null);
      await store.replaceBudget(aBudget({ version: 2, publicTokenHash: "hash-b" }), 1, [], null);
      assert.equal(await store.findBudgetByPublicToken("hash-a"), null);
      assert.equal((await store.findBudgetByPublicToken("hash-b"))?.version, 2);
    });

    it("finds no budget by a token that was removed", async (store) => {
      await store.insertBudget(aBudget({ publicTokenHash: "hash-a" }), [], null);
      await store.replaceBudget(aBudget({ version: 2, publicTokenHash: null }), 1, [], null);
      assert.equal(await store.findBudgetByPublicToken("hash-a"), null);
    });
  });
}

function overdueCases({ describe, it }: Suite): void {
  const at = FIXTURE_TIME + 10 * DAY_MS;
  const read = (store: Store, limit: number) => store.findAllOverdueBudgets(at, limit);

  describe("finding overdue budgets", () => {
    it("finds the budgets whose validity ends now or ended before, the longest overdue first", async (store) => {
      for (const [id, validUntil] of [
        ["10", at],
        ["11", at - 2],
        ["12", at + 1],
        ["13", at - 1],
      ] as const) {
        await store.insertBudget(aBudget({ id, validUntil }), [], null);
      }
      assert.deepEqual(idsOf(await read(store, 10)), ["11", "13", "10"]);
    });

    it("finds no overdue budget without a validity", async (store) => {
      await store.insertBudget(aBudget({ validUntil: null }), [], null);
      assert.deepEqual(await read(store, 10), []);
    });

    for (const status of ["DRAFT", "APPROVED", "REJECTED", "EXPIRED", "COMPLETED", "ARCHIVED", "DELETED"] as const) {
      it(`finds no overdue budget in ${status}`, async (store) => {
        await store.insertBudget(aBudget({ status, validUntil: at - 1 }), [], null);
        assert.deepEqual(await read(store, 10), []);
      });
    }

    it("finds at most as many overdue budgets as requested, the longest overdue ones", async (store) => {
      await allAtOnce(6, (index) =>
        store.insertBudget(aBudget({ id: String(20 + index), validUntil: at - index }), [], null),
      );
      assert.deepEqual(idsOf(await read(store, 2)), ["25", "24"]);
    });

    it("finds no overdue budget that has moved on", async (store) => {
      await store.insertBudget(aBudget({ validUntil: at }), [], null);
      await store.replaceBudget(aBudget({ version: 2, status: "EXPIRED", validUntil: at }), 1, [], null);
      assert.deepEqual(await read(store, 10), []);
    });

    it("finds no overdue budget whose validity was extended", async (store) => {
      await store.insertBudget(aBudget({ validUntil: at }), [], null);
      await store.replaceBudget(aBudget({ version: 2, validUntil: at + DAY_MS }), 1, [], null);
      assert.deepEqual(await read(store, 10), []);
    });

    it("finds overdue budgets of all businesses", async (store) => {
      await store.insertBudget(aBudget({ businessId: "1", id: "10", validUntil: at - 1 }), [], null);
      await store.insertBudget(aBudget({ businessId: "2", id: "11", validUntil: at - 2 }), [], null);
      assert.deepEqual(idsOf(await read(store, 10)), ["11", "10"]);
    });

    it("leaves out whole businesses, however many of their overdue budgets come first", async (store) => {
      for (const [index, businessId] of ["1", "1", "2", "3"].entries()) {
        await store.insertBudget(aBudget({ businessId, id: String(10 + index), validUntil: at - 1 }), [], null);
      }
      assert.deepEqual(idsOf(await store.findAllOverdueBudgets(at, 1, ["1", "3"])), ["12"]);
      assert.deepEqual(await store.findAllOverdueBudgets(at, 10, ["3", "2", "1"]), []);
    });
  });
}

function idsOf(budgets: readonly Budget[]): string[] {
  return budgets.map((budget) => budget.id);
}
