import assert from "node:assert/strict";
import {
  type Budget,
  DAY_MS,
  insertBudgetCommit,
  recordCommit,
  replaceBudgetCommit,
  type Store,
  summariesOf,
} from "@budgetkit/core/store";
import { aCustomer, aProduct, aVariant } from "../catalog-fixtures.js";
import { aBudget, anItem, FIXTURE_TIME } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
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

    it("has its customer and each product once, as they are now", async (store) => {
      await store.commit(insertBudgetCommit(budget));
      assert.deepEqual(await store.findNamedBudget("1", "10"), { budget, customer: null, products: [] });
      const product = aProduct({ id: "700", variants: [aVariant()] });
      await store.commit(recordCommit("product", product, "absent"));
      await store.commit(recordCommit("customer", aCustomer({ id: "500", name: "Ana" }), "absent"));
      const [customer = null] = await store.findCustomers("1", ["500"]);
      const products = [summariesOf(product)[1]];
      assert.deepEqual(await store.findNamedBudget("1", "10"), { budget, customer, products });
      await store.commit(recordCommit("customer", aCustomer({ id: "500", version: 2, name: "Eva" }), 1));
      await store.commit(
        recordCommit("product", aProduct({ id: "700", version: 2, name: "Ash table", variants: [] }), 1),
      );
      const renamed = await store.findNamedBudget("1", "10");
      assert.deepEqual([renamed?.customer?.name, renamed?.products.map(({ name }) => name)], ["Eva", ["Ash table"]]);
    });

    it("is of the business that asks, and so are the names", async (store) => {
      await store.commit(insertBudgetCommit(budget));
      await store.commit(recordCommit("customer", aCustomer({ id: "500", businessId: "2" }), "absent"));
      await store.commit(recordCommit("product", aProduct({ id: "701", businessId: "2" }), "absent"));
      assert.deepEqual(await store.findNamedBudget("1", "10"), { budget, customer: null, products: [] });
      assert.equal(await store.findNamedBudget("2", "10"), null);
      assert.equal(await store.findNamedBudget("1", "11"), null);
    });
  });
}

function publicTokenCases({ describe, it }: Suite): void {
  describe("following a public link", () => {
    it("finds the budget of any business by the digest of its token", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ businessId: "1", id: "10", publicTokenHash: "hash-a" })));
      await store.commit(insertBudgetCommit(aBudget({ businessId: "2", id: "11", publicTokenHash: "hash-b" })));
      assert.equal((await store.findBudgetByPublicToken("hash-a"))?.id, "10");
      assert.equal((await store.findBudgetByPublicToken("hash-b"))?.businessId, "2");
    });

    for (const unknown of ["hash-c", "HASH-A", "hash-", "hash-a ", "", "null", "%"]) {
      it(`finds nothing by the digest ${JSON.stringify(unknown)}, which no budget has`, async (store) => {
        await store.commit(insertBudgetCommit(aBudget({ id: "10", publicTokenHash: "hash-a" })));
        await store.commit(insertBudgetCommit(aBudget({ id: "11", publicTokenHash: null })));
        assert.equal(await store.findBudgetByPublicToken(unknown), null);
      });
    }

    it("finds nothing by a token that was rotated away, and the budget by the new one", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ publicTokenHash: "hash-a" })));
      await store.commit(replaceBudgetCommit(aBudget({ version: 2, publicTokenHash: "hash-b" }), 1));
      assert.equal(await store.findBudgetByPublicToken("hash-a"), null);
      assert.equal((await store.findBudgetByPublicToken("hash-b"))?.version, 2);
    });

    it("finds nothing by a token that was taken away", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ publicTokenHash: "hash-a" })));
      await store.commit(replaceBudgetCommit(aBudget({ version: 2, publicTokenHash: null }), 1));
      assert.equal(await store.findBudgetByPublicToken("hash-a"), null);
    });
  });
}

function overdueCases({ describe, it }: Suite): void {
  const at = FIXTURE_TIME + 10 * DAY_MS;
  const read = (store: Store, limit: number) => store.findAllOverdueBudgets(at, limit);

  describe("finding overdue budgets", () => {
    it("takes those whose validity ends now or ended before, the longest overdue first", async (store) => {
      for (const [id, validUntil] of [
        ["10", at],
        ["11", at - 2],
        ["12", at + 1],
        ["13", at - 1],
      ] as const) {
        await store.commit(insertBudgetCommit(aBudget({ id, validUntil })));
      }
      assert.deepEqual(idsOf(await read(store, 10)), ["11", "13", "10"]);
    });

    it("leaves out those that never expire", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ validUntil: null })));
      assert.deepEqual(await read(store, 10), []);
    });

    for (const status of ["DRAFT", "APPROVED", "REJECTED", "EXPIRED", "COMPLETED", "ARCHIVED", "DELETED"] as const) {
      it(`leaves out ${status} ones`, async (store) => {
        await store.commit(insertBudgetCommit(aBudget({ status, validUntil: at - 1 })));
        assert.deepEqual(await read(store, 10), []);
      });
    }

    it("gives at most as many as asked for, the longest overdue ones", async (store) => {
      await allAtOnce(6, (index) =>
        outcomeOf(store, insertBudgetCommit(aBudget({ id: String(20 + index), validUntil: at - index }))),
      );
      assert.deepEqual(idsOf(await read(store, 2)), ["25", "24"]);
    });

    it("no longer gives one that has been moved on", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ validUntil: at })));
      await store.commit(replaceBudgetCommit(aBudget({ version: 2, status: "EXPIRED", validUntil: at }), 1));
      assert.deepEqual(await read(store, 10), []);
    });

    it("no longer gives one whose validity was extended", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ validUntil: at })));
      await store.commit(replaceBudgetCommit(aBudget({ version: 2, validUntil: at + DAY_MS }), 1));
      assert.deepEqual(await read(store, 10), []);
    });

    it("looks at all businesses", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ businessId: "1", id: "10", validUntil: at - 1 })));
      await store.commit(insertBudgetCommit(aBudget({ businessId: "2", id: "11", validUntil: at - 2 })));
      assert.deepEqual(idsOf(await read(store, 10)), ["11", "10"]);
    });

    it("leaves out whole businesses, however many of their budgets come first", async (store) => {
      for (const [index, businessId] of ["1", "1", "2", "3"].entries()) {
        await store.commit(insertBudgetCommit(aBudget({ businessId, id: String(10 + index), validUntil: at - 1 })));
      }
      assert.deepEqual(idsOf(await store.findAllOverdueBudgets(at, 1, ["1", "3"])), ["12"]);
      assert.deepEqual(await store.findAllOverdueBudgets(at, 10, ["3", "2", "1"]), []);
    });
  });
}

function idsOf(budgets: readonly Budget[]): string[] {
  return budgets.map((budget) => budget.id);
}
