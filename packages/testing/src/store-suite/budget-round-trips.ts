import assert from "node:assert/strict";
import {
  BUDGET_STATUSES,
  type Budget,
  type DomainEvent,
  insertBudgetCommit,
  replaceBudgetCommit,
} from "@budgetkit/core/store";
import { aBudget, aBudgetQuery, anEvent, anEventQuery, anItem, FIXTURE_TIME } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { type Cases, END_OF_2199, MAX, NESTED, ODD_TEXT, YEAR_2000 } from "./extremes.js";
import type { Suite } from "./suite.js";

export function budgetRoundTripCases(suite: Suite): void {
  budgetRoundTrips(suite);
  eventRoundTrips(suite);
}

const BUDGETS: Cases<Budget> = {
  "of plain values": {},
  "with the largest amounts": {
    subtotal: MAX,
    discount: MAX,
    tax: MAX,
    total: MAX,
    items: [anItem({ total: MAX, discount: MAX, tax: MAX, quantity: 1e15, unitPrice: 9_007_199_254.740992 })],
  },
  "with amounts of nothing": { subtotal: 0, discount: 0, tax: 0, total: 0, items: [anItem({ total: 0, tax: 0 })] },
  "with decimals in quantity and price": {
    items: [anItem({ quantity: 0.000001, unitPrice: 0.1 }), anItem({ quantity: 1.005 })],
  },
  "in a currency without decimals": { currency: "JPY", total: 1 },
  "in a currency of three decimals": { currency: "BHD", total: 1 },
  "of 500 items": {
    items: Array.from({ length: 500 }, (_, index) => anItem({ id: String(index + 1), description: `Line ${index} ñ` })),
  },
  "without items": { items: [] },
  "with the longest description": { items: [anItem({ description: "d".repeat(2_000) })] },
  "with items from the catalog": {
    items: [anItem({ productId: "700", variantId: "v:1" }), anItem({ id: "12", packageId: "pack.1" })],
  },
  "with notes of 10,000 characters": { notes: "ñ🪑x\n".repeat(2_000) },
  "with odd text everywhere": {
    notes: ODD_TEXT,
    createdBy: `customer:${ODD_TEXT}`,
    approvedBy: `customer:${ODD_TEXT}`,
    items: [anItem({ description: ODD_TEXT })],
  },
  "with empty notes, which are not the same as none": { notes: "" },
  "with nested metadata": { metadata: NESTED },
  "with 50 keys of metadata": {
    metadata: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`key ${index}`, "v".repeat(250)])),
  },
  "taxed by an amount": { taxRate: null },
  "taxed at nothing": { taxRate: 0 },
  "taxed at a rate of many decimals": { taxRate: 0.105 },
  "taxed in full": { taxRate: 1 },
  "that is valid until a moment": { validUntil: END_OF_2199 },
  "of the first moment of 2000": { createdAt: YEAR_2000, updatedAt: YEAR_2000, validUntil: YEAR_2000 },
  "of the last moment of 2199": { createdAt: END_OF_2199, updatedAt: END_OF_2199 },
  "that was approved": { status: "APPROVED", approvedAt: FIXTURE_TIME + 1, approvedBy: "user:30" },
  "that was deleted": { status: "DELETED", deletion: { deletedAt: FIXTURE_TIME + 1, from: "ARCHIVED" } },
  "at a later revision": {
    version: 9,
    revision: 4,
    revised: { at: FIXTURE_TIME + 1, by: `customer:${ODD_TEXT}`, changes: ["items", "status"], asked: false },
  },
  "that was paid": { paid: MAX },
  "that was accepted and waits for a payment": {
    acceptance: { acceptedAt: FIXTURE_TIME + 1, acceptedBy: `customer:${ODD_TEXT}` },
  },
  "with a public link": { publicTokenHash: "a".repeat(64) },
  "made by public creation": {
    publicOffer: { sellerId: "s:1", issueDate: YEAR_2000, minimumPaymentToConfirm: MAX },
    publicTokenHash: "b".repeat(64),
    taxRate: null,
  },
  "of a customer whose id looks like a number": { customerId: "00123" },
  "of a customer with the longest id": { customerId: "A.b_c:d-".repeat(8) },
  "at a high version": { version: 2 ** 31 },
};

function budgetRoundTrips({ describe, it, itDurably }: Suite): void {
  describe("a budget comes back as it went in", () => {
    for (const [name, overrides] of Object.entries(BUDGETS)) {
      it(`${name}, added`, async (store) => {
        const budget = aBudget(overrides);
        await store.commit(insertBudgetCommit(budget));
        assert.deepEqual(await store.findBudget("1", "10"), budget);
        const query = aBudgetQuery({ includeDeleted: true, now: 0 }); // before every validity date
        assert.deepEqual((await store.listBudgets("1", query)).entries, [budget]);
      });

      it(`${name}, in the place of another`, async (store) => {
        await store.commit(insertBudgetCommit(aBudget(BUDGETS["made by public creation"])));
        const budget = aBudget({ version: 2, ...overrides });
        assert.equal(await outcomeOf(store, replaceBudgetCommit(budget, 1)), "written");
        assert.deepEqual(await store.findBudget("1", "10"), budget);
      });
    }

    for (const status of BUDGET_STATUSES) {
      it(`in ${status}`, async (store) => {
        await store.commit(insertBudgetCommit(aBudget({ status })));
        assert.equal((await store.findBudget("1", "10"))?.status, status);
      });
    }

    it("by its public link and by the search for overdue ones", async (store) => {
      const budget = aBudget({ publicTokenHash: "hash", metadata: NESTED, validUntil: FIXTURE_TIME });
      await store.commit(insertBudgetCommit(budget));
      assert.deepEqual(await store.findBudgetByPublicToken("hash"), budget);
      assert.deepEqual(await store.findAllOverdueBudgets(FIXTURE_TIME, 10), [budget]);
    });

    itDurably("after the store was reopened, with any content", async (store, reopen) => {
      const budgets = Object.values(BUDGETS).map((overrides, index) =>
        aBudget({ ...overrides, id: String(100 + index), publicTokenHash: null }),
      );
      for (const budget of budgets) await store.commit(insertBudgetCommit(budget));
      const again = await reopen();
      for (const budget of budgets) assert.deepEqual(await again.findBudget("1", budget.id), budget);
    });
  });
}

const EVENTS: Cases<DomainEvent> = {
  "of plain values": {},
  "with nested data": { data: NESTED },
  "without data": { data: {} },
  "with odd text everywhere": {
    actor: `customer:${ODD_TEXT}`,
    change: { fields: ["notes", "items[0].quantity"], from: "PENDING", to: "DRAFT", reason: ODD_TEXT },
  },
  "of something that was not there before": { change: { fields: [], from: null, to: null, reason: null } },
  "of a customer of the host's own id": { type: "customer.updated", subjectId: "cus:A-1" },
  "with large data": { data: { items: Array.from({ length: 500 }, (_, index) => ({ index, text: "x".repeat(100) })) } },
  "of the last moment of 2199": { occurredAt: END_OF_2199 },
};

function eventRoundTrips({ describe, it }: Suite): void {
  describe("an event comes back as it went in", () => {
    for (const [name, overrides] of Object.entries(EVENTS)) {
      it(name, async (store) => {
        const event = anEvent(overrides);
        await store.commit(insertBudgetCommit(aBudget(), { events: [event] }));
        const [stored] = (await store.listEvents("1", anEventQuery())).entries;
        assert.deepEqual(stored, { ...event, sequence: stored?.sequence, revision: stored?.revision });
      });
    }
  });
}
