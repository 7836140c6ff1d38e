import assert from "node:assert/strict";
import type { Payment, Store } from "@budgetkit/core/store";
import { insertBudgetCommit, recordPaymentCommit, replaceBudgetCommit } from "@budgetkit/core/store";
import {
  aBudget,
  aBudgetQuery,
  anEvent,
  anEventQuery,
  FIXTURE_BUSINESS as BUSINESS,
  FIXTURE_TIME as NOW,
} from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { aPayment } from "../payment-fixtures.js";
import { type Cases, END_OF_2199, MAX, ODD_TEXT, YEAR_2000 } from "./extremes.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";

export function paymentCases(suite: Suite): void {
  recordCases(suite);
  raceCases(suite);
  readCases(suite);
  roundTripCases(suite);
}
type Outcome = Awaited<ReturnType<typeof outcomeOf>>;
const PAID = aBudget({ version: 2, paid: 5_000 });

function recordCases({ describe, it }: Suite): void {
  describe("recording a payment", () => {
    it("recording a payment moves the budget to another status together with its counters", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      const approved = { ...PAID, status: "APPROVED", approvedAt: NOW, approvedBy: "customer:Ana" } as const;
      const events = [anEvent({ id: "90" }), anEvent({ id: "91", type: "budget.approved" })];
      await store.commit(recordPaymentCommit(aPayment(), approved, 1, { events }));
      assert.deepEqual(await eventIds(store), ["91", "90"]);
      const totalOf = async (status: "APPROVED" | "PENDING") =>
        (await store.listBudgets(BUSINESS, aBudgetQuery({ status }))).total;
      assert.deepEqual([await totalOf("APPROVED"), await totalOf("PENDING")], [1, 0]);
    });

    it("accepts a payment reference that another budget, or another business, has", async (store) => {
      const places = [
        { businessId: "1", id: "10" },
        { businessId: "1", id: "11" },
        { businessId: "2", id: "10" },
      ];
      for (const [index, { businessId, id }] of places.entries()) {
        await store.commit(insertBudgetCommit(aBudget({ businessId, id })));
        const payment = aPayment({ businessId, budgetId: id, id: String(80 + index) });
        const paid = aBudget({ businessId, id, version: 2, paid: 5_000 });
        assert.equal(await outcomeOf(store, recordPaymentCommit(payment, paid, 1)), "written");
        assert.deepEqual((await store.listPayments(businessId, id, 10, 0)).entries, [payment]);
      }
    });

    it("a later version of the budget does not undo a payment", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      await record(store, aPayment(), PAID);
      await store.commit(replaceBudgetCommit({ ...PAID, version: 3, notes: "changed" }, 2));
      assert.deepEqual(await store.findPayment(BUSINESS, "10", "transfer 1"), aPayment());
      assert.equal((await store.findBudget(BUSINESS, "10"))?.paid, 5_000);
    });
  });
}

function raceCases({ describe, it }: Suite): void {
  describe("payments that race", () => {
    it("records exactly one of 20 payments with references of their own from one version", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      const outcomes = await allAtOnce(20, (index) =>
        outcomeOf(
          store,
          recordPaymentCommit(aPayment({ id: String(800 + index), reference: `transfer ${index}` }), PAID, 1),
        ),
      );
      assert.deepEqual([countOf(outcomes, "written"), countOf(outcomes, "stale")], [1, 19]);
      assert.equal(await store.countPayments(BUSINESS, "10"), 1);
    });

    it("counts each of 20 payments that read again when they are stale, and each reference once", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      await allAtOnce(40, (index) => insist(store, aPayment({ id: String(800 + index), reference: `t${index % 20}` })));
      const { entries, total } = await store.listPayments(BUSINESS, "10", 100, 0);
      assert.equal(total, 20);
      assert.equal(new Set(entries.map(({ reference }) => reference)).size, 20);
      const budget = await store.findBudget(BUSINESS, "10");
      assert.deepEqual([budget?.paid, budget?.version], [20 * 5_000, 21]);
    });

    it("a payment and another change never both win from one version", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      const [payment, expiry] = await Promise.all([
        outcomeOf(store, recordPaymentCommit(aPayment(), { ...PAID, status: "APPROVED" }, 1)),
        outcomeOf(store, replaceBudgetCommit(aBudget({ version: 2, status: "EXPIRED" }), 1)),
      ]);
      assert.deepEqual([payment, expiry].sort(), ["stale", "written"]);
      const budget = await store.findBudget(BUSINESS, "10");
      assert.equal(budget?.status, payment === "written" ? "APPROVED" : "EXPIRED");
      assert.equal(await store.countPayments(BUSINESS, "10"), payment === "written" ? 1 : 0);
    });
  });
}

function readCases({ describe, it }: Suite): void {
  describe("reading payments", () => {
    it("compares payment references exactly as written", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      await record(store, aPayment(), PAID);
      for (const reference of ["Transfer 1", "transfer 1 ", "transfer_1", "%", ""]) {
        assert.equal(await store.findPayment(BUSINESS, "10", reference), null, reference);
      }
    });
  });
}

const PAYMENTS: Cases<Payment> = {
  "of plain values": {},
  "of the largest amount and id": { amount: MAX, id: String(MAX) },
  "of the smallest amount": { amount: 1 },
  "in a currency without decimals": { currency: "JPY" },
  "with odd text everywhere": { reference: ODD_TEXT, createdBy: `customer:${ODD_TEXT}` },
  "with a reference of 255 characters of several bytes": { reference: "ñ🪑x".repeat(63) },
  "with a reference that looks like a number": { reference: "007" },
  "made at the first moment and recorded at the last": { paidAt: YEAR_2000, createdAt: END_OF_2199 },
};

function roundTripCases({ describe, it }: Suite): void {
  describe("a payment comes back as it went in", () => {
    for (const [name, overrides] of Object.entries(PAYMENTS)) {
      it(`a payment comes back as it went in ${name}`, async (store) => {
        const payment = aPayment(overrides);
        await store.commit(insertBudgetCommit(aBudget()));
        await record(store, payment, PAID);
        assert.deepEqual(await store.findPayment(BUSINESS, "10", payment.reference), payment);
        assert.deepEqual((await store.listPayments(BUSINESS, "10", 10, 0)).entries, [payment]);
      });
    }
  });
}

/** Records a payment that leads to the budget given, from the version before. */
function record(store: Store, payment: Payment, budget: Partial<ReturnType<typeof aBudget>>): Promise<Outcome> {
  const next = aBudget(budget);
  return outcomeOf(store, recordPaymentCommit(payment, next, next.version - 1));
}

/** Records a payment on the stored budget, and retries while other writers come first. */
async function insist(store: Store, payment: Payment): Promise<void> {
  for (;;) {
    const budget = await store.findBudget(BUSINESS, "10");
    if (budget === null) throw new Error("the budget is gone");
    const next = { ...budget, version: budget.version + 1, paid: budget.paid + payment.amount };
    if ((await outcomeOf(store, recordPaymentCommit(payment, next, budget.version))) !== "stale") return;
  }
}

async function eventIds(store: Store): Promise<string[]> {
  return (await store.listEvents(BUSINESS, anEventQuery())).entries.map(({ id }) => id);
}
