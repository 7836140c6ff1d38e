import assert from "node:assert/strict";
import type { Payment, Store } from "@budgetkit/core/store";
import { insertBudgetCommit, recordPaymentCommit, replaceBudgetCommit } from "@budgetkit/core/store";
import {
  aBudget,
  aBudgetQuery,
  aClaim,
  anEvent,
  anEventQuery,
  anIdempotencyRecord,
  FIXTURE_BUSINESS as BUSINESS,
  FIXTURE_TIME as NOW,
} from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { aPayment } from "../payment-fixtures.js";
import { COMPLETED } from "./claim-samples.js";
import { type Cases, END_OF_2199, MAX, ODD_TEXT, YEAR_2000 } from "./extremes.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";

export function paymentCases(suite: Suite): void {
  recordCases(suite);
  raceCases(suite);
  readCases(suite);
  roundTripCases(suite);
}

/** The budget of the fixtures after its first payment. */
const REFERENCE_TAKEN = { taken: "reference", value: "transfer 1" } as const;
type Outcome = Awaited<ReturnType<typeof outcomeOf>>;
const PAID = aBudget({ version: 2, paid: 5_000 });

function recordCases({ describe, it }: Suite): void {
  describe("recording a payment", () => {
    it("writes the payment, the budget that counts it and the events in one step", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      assert.equal(
        await outcomeOf(store, recordPaymentCommit(aPayment(), PAID, 1, { events: [anEvent({ id: "90" })] })),
        "written",
      );
      assert.deepEqual(await store.findPayment(BUSINESS, "10", "transfer 1"), aPayment());
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), PAID);
      assert.deepEqual(await eventIds(store), ["90"]);
    });

    it("moves the budget to another status together with its counters", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      const approved = { ...PAID, status: "APPROVED", approvedAt: NOW, approvedBy: "customer:Ana" } as const;
      const events = [anEvent({ id: "90" }), anEvent({ id: "91", type: "budget.approved" })];
      await store.commit(recordPaymentCommit(aPayment(), approved, 1, { events }));
      assert.deepEqual(await eventIds(store), ["91", "90"]);
      const totalOf = async (status: "APPROVED" | "PENDING") =>
        (await store.listBudgets(BUSINESS, aBudgetQuery({ status }))).total;
      assert.deepEqual([await totalOf("APPROVED"), await totalOf("PENDING")], [1, 0]);
    });

    it("completes the claim of its receipt", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      await store.claimKey(aClaim(), NOW);
      assert.equal(
        await outcomeOf(store, recordPaymentCommit(aPayment(), PAID, 1, { completes: anIdempotencyRecord() })),
        "written",
      );
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), COMPLETED);
    });

    const refusals: Readonly<
      Record<string, (store: Store) => Promise<readonly [outcome: Outcome, expected: Outcome]>>
    > = {
      "when the reference is taken, at the version of now": async (store) => {
        const outcome = await record(store, aPayment({ id: "81", amount: 1 }), { version: 3, paid: 5_001 });
        return [outcome, REFERENCE_TAKEN];
      },
      "when the reference is taken, at a version that is past": async (store) => {
        const outcome = await record(store, aPayment({ id: "81" }), { version: 2, paid: 5_000 });
        return [outcome, REFERENCE_TAKEN];
      },
      "when the version is past": async (store) => {
        const outcome = await record(store, aPayment({ id: "81", reference: "transfer 2" }), { version: 2 });
        return [outcome, "stale"];
      },
      "when the version is yet to come": async (store) => {
        const outcome = await record(store, aPayment({ id: "81", reference: "transfer 2" }), { version: 9 });
        return [outcome, "stale"];
      },
      "when its claim was taken over": async (store) => {
        await store.claimKey(aClaim({ claimId: "claim-2" }), NOW);
        const other = aPayment({ id: "81", reference: "transfer 2" });
        const budget = aBudget({ version: 3, paid: 10_000 });
        return [
          await outcomeOf(
            store,
            recordPaymentCommit(other, budget, 2, {
              events: [anEvent({ id: "91" })],
              completes: anIdempotencyRecord(),
            }),
          ),
          "claim-lost",
        ];
      },
    };
    for (const [name, refuse] of Object.entries(refusals)) {
      it(`leaves nothing behind ${name}`, async (store) => {
        await store.commit(insertBudgetCommit(aBudget()));
        await record(store, aPayment(), PAID);
        const [outcome, expected] = await refuse(store);
        assert.deepEqual(outcome, expected);
        assert.deepEqual((await store.listPayments(BUSINESS, "10", 10, 0)).entries, [aPayment()]);
        assert.deepEqual(await store.findBudget(BUSINESS, "10"), PAID);
        assert.deepEqual(await eventIds(store), []);
      });
    }

    it("leaves the claim open when the reference is taken or the version stale", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      await record(store, aPayment(), PAID);
      await store.claimKey(aClaim(), NOW);
      for (const reference of ["transfer 1", "transfer 2"]) {
        await store.commit(
          recordPaymentCommit(aPayment({ id: "81", reference }), aBudget({ version: 2 }), 1, {
            completes: anIdempotencyRecord(),
          }),
        );
      }
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), NOW), { kind: "in-flight" });
    });

    it("is stale for a budget that is not there, and adds neither", async (store) => {
      assert.equal(await outcomeOf(store, recordPaymentCommit(aPayment(), PAID, 1, { events: [anEvent()] })), "stale");
      assert.equal(await store.findBudget(BUSINESS, "10"), null);
      assert.equal(await store.findPayment(BUSINESS, "10", "transfer 1"), null);
      assert.equal(await store.countPayments(BUSINESS, "10"), 0);
      assert.deepEqual(await eventIds(store), []);
    });

    it("takes a reference that another budget, or another business, has", async (store) => {
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

    it("is not undone by a later version of the budget", async (store) => {
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
    it("records exactly one of 20 with one reference, and reports a duplicate to the others", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      const outcomes = await allAtOnce(20, (index) =>
        outcomeOf(
          store,
          recordPaymentCommit(aPayment({ id: String(800 + index) }), PAID, 1, {
            events: [anEvent({ id: String(900 + index) })],
          }),
        ),
      );
      assert.equal(countOf(outcomes, "written"), 1);
      assert.equal(countOf(outcomes, REFERENCE_TAKEN), 19);
      const winner = outcomes.indexOf("written");
      assert.equal((await store.findPayment(BUSINESS, "10", "transfer 1"))?.id, String(800 + winner));
      assert.deepEqual(await eventIds(store), [String(900 + winner)]);
      assert.equal(await store.countPayments(BUSINESS, "10"), 1);
    });

    it("lets exactly one of 20 with references of their own through from one version", async (store) => {
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

    it("counts each of 20 that read again when they are stale, and each reference once", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      await allAtOnce(40, (index) => insist(store, aPayment({ id: String(800 + index), reference: `t${index % 20}` })));
      const { entries, total } = await store.listPayments(BUSINESS, "10", 100, 0);
      assert.equal(total, 20);
      assert.equal(new Set(entries.map(({ reference }) => reference)).size, 20);
      const budget = await store.findBudget(BUSINESS, "10");
      assert.deepEqual([budget?.paid, budget?.version], [20 * 5_000, 21]);
    });

    it("never lets a payment and another change both win from one version", async (store) => {
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

function readCases({ describe, it, itDurably }: Suite): void {
  describe("reading payments", () => {
    it("gives the newest first, and the higher id among those of one moment", async (store) => {
      await fill(store, [
        ["80", 3],
        ["9", 1],
        ["100", 1],
        ["81", 2],
      ]);
      assert.deepEqual(await idsOf(store, 10, 0), ["100", "9", "81", "80"]);
    });

    it("gives pages that together hold each once, and counts the whole list", async (store) => {
      await fill(
        store,
        ["80", "81", "82", "83", "84"].map((id) => [id, 0]),
      );
      const ids = [];
      for (const offset of [0, 2, 4, 6]) {
        ids.push(...(await idsOf(store, 2, offset)));
        assert.equal((await store.listPayments(BUSINESS, "10", 2, offset)).total, 5);
      }
      assert.deepEqual(ids, ["84", "83", "82", "81", "80"]);
      assert.equal(await store.countPayments(BUSINESS, "10"), 5);
    });

    it("compares references as they are written", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      await record(store, aPayment(), PAID);
      for (const reference of ["Transfer 1", "transfer 1 ", "transfer_1", "%", ""]) {
        assert.equal(await store.findPayment(BUSINESS, "10", reference), null, reference);
      }
    });

    itDurably("finds what was acknowledged after the store was reopened", async (store, reopen) => {
      await store.commit(insertBudgetCommit(aBudget()));
      await record(store, aPayment(), PAID);
      const again = await reopen();
      assert.deepEqual(await again.findPayment(BUSINESS, "10", "transfer 1"), aPayment());
      assert.equal((await again.findBudget(BUSINESS, "10"))?.paid, 5_000);
      const late = { ...PAID, version: 3 };
      assert.deepEqual(await outcomeOf(again, recordPaymentCommit(aPayment({ id: "81" }), late, 2)), REFERENCE_TAKEN);
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
      it(name, async (store) => {
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

/** Gives the budget of the fixtures payments, each with its id and how long ago it was recorded. */
async function fill(store: Store, payments: readonly (readonly [id: string, age: number])[]): Promise<void> {
  await store.commit(insertBudgetCommit(aBudget()));
  for (const [id, age] of payments) await insist(store, aPayment({ id, reference: id, createdAt: NOW - age }));
}

async function idsOf(store: Store, limit: number, offset: number): Promise<string[]> {
  return (await store.listPayments(BUSINESS, "10", limit, offset)).entries.map(({ id }) => id);
}

async function eventIds(store: Store): Promise<string[]> {
  return (await store.listEvents(BUSINESS, anEventQuery())).entries.map(({ id }) => id);
}
