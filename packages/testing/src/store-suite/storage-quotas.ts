import assert from "node:assert/strict";
import type { StorageQuota } from "@budgetkit/core/store";
import { anAttachment } from "../attachment-fixtures.js";
import { aBudget, anAuditEntry, anEvent, FIXTURE_TIME as NOW } from "../fixtures.js";
import { aPayment } from "../payment-fixtures.js";
import { removeEntries } from "./ledger-retention.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";
import { subscribe } from "./webhook-samples.js";

const NONE = { budgets: 0, documentBytes: 0, attachmentBytes: 0, deliveryBytes: 0 };
const UNLIMITED: StorageQuota = { budgets: null, bytes: null };

export function storageQuotaCases(suite: Suite): void {
  useCases(suite);
  quotaCases(suite);
  attachmentQuotaCases(suite);
}

function useCases({ describe, it, itDurably, itWithHost }: Suite): void {
  describe("the storage of a business", () => {
    it("the storage of a business counts budgets and the bytes of their documents and events", async (store) => {
      assert.deepEqual(await store.measureStorage("1"), NONE);
      const [budget, event, audit] = [aBudget({ notes: "Ñandú 🙂" }), anEvent(), anAuditEntry()];
      await store.insertBudget(budget, [event], null);
      await store.appendAudit(audit);
      assert.deepEqual(await store.measureStorage("1"), used(1, budget, event, audit));
      assert.deepEqual(await store.measureStorage("2"), NONE);
    });

    it("the storage of a business counts the replacement of a budget, and its revisions", async (store) => {
      const [first, longer] = [aBudget(), aBudget({ version: 2, notes: "a longer note" })];
      const revised = aBudget({ version: 3, revision: 2, notes: "short" });
      await store.insertBudget(first, [], null);
      await store.replaceBudget(longer, 1, [anEvent()], null);
      assert.deepEqual(await store.measureStorage("1"), used(1, longer, anEvent()));
      await store.replaceBudget(revised, 2, [], null);
      assert.deepEqual(await store.measureStorage("1"), used(1, longer, anEvent(), revised));
      assert.equal(await store.replaceBudget(aBudget({ version: 9 }), 1, [anEvent({ id: "91" })], null), "stale");
      assert.deepEqual(await store.measureStorage("1"), used(1, longer, anEvent(), revised));
    });

    it("the storage of a business counts a payment's event, and files until they are removed", async (store) => {
      const [budget, paid] = [aBudget(), aBudget({ version: 2, paid: 500 })];
      await store.insertBudget(budget, [], null);
      await store.recordPayment(aPayment(), paid, 1, [anEvent()], null);
      await store.insertAttachment(anAttachment({ size: 1_000 }), 2, 3, [anEvent({ id: "91" })]);
      const [first, second] = [anEvent(), anEvent({ id: "91" })];
      assert.deepEqual(await store.measureStorage("1"), {
        ...used(1, paid, first, second),
        attachmentBytes: 1_000,
      });
      await store.removeAttachment("1", "10", "80", 2, []);
      assert.deepEqual(await store.measureStorage("1"), used(1, paid, first, second));
    });

    it("pruning frees the bytes of events, for each business", async (store) => {
      await subscribe(store, "1", "2");
      const old = [anEvent({ id: "91", occurredAt: NOW - 2 }), anEvent({ id: "92", occurredAt: NOW - 1 })];
      for (const event of [...old, anEvent({ id: "93" })]) {
        await store.insertBudget(aBudget({ id: event.id }), [event], null);
      }
      await store.insertBudget(aBudget({ businessId: "2" }), [anEvent({ businessId: "2", occurredAt: 1 })], null);
      for (const event of await store.findUndispatchedEvents(10)) await store.fanOut(event, []);
      assert.deepEqual([await removeEntries(store, NOW), await removeEntries(store, NOW, "2")], [2, 1]);
      const kept = ["91", "92", "93"].map((id) => aBudget({ id }));
      assert.deepEqual(await store.measureStorage("1"), used(3, ...kept, anEvent({ id: "93" })));
      assert.deepEqual(await store.measureStorage("2"), used(1, aBudget({ businessId: "2" })));
    });

    itDurably("the storage of a business is the same after the store was reopened", async (store, reopen) => {
      await store.insertBudget(aBudget(), [anEvent()], null);
      assert.deepEqual(await (await reopen()).measureStorage("1"), used(1, aBudget(), anEvent()));
    });

    itWithHost("counts the storage of a host's transaction when that commits", async (store, host) => {
      for (const ends of ["rollback", "commit"] as const) {
        const transaction = await host.begin();
        const within = store.withConnection(transaction.connection);
        await within.insertBudget(aBudget(), [], null);
        assert.deepEqual(await within.measureStorage("1"), used(1, aBudget()));
        await transaction[ends]();
        assert.deepEqual(await store.measureStorage("1"), ends === "commit" ? used(1, aBudget()) : NONE);
      }
    });
  });
}

function quotaCases({ describe, it }: Suite): void {
  describe("a storage quota", () => {
    it("a storage quota accepts the last byte and the last budget, and no more (quota-exceeded)", async (store) => {
      const [budget, event] = [aBudget(), anEvent()];
      const { documentBytes } = used(1, budget, event);
      const small = { ...UNLIMITED, bytes: documentBytes - 1 };
      assert.equal(await store.insertBudget(budget, [event], null, small), "quota-exceeded");
      assert.deepEqual(await store.measureStorage("1"), NONE);
      assert.equal(await store.findBudget("1", "10"), null);
      const exact = { budgets: 1, bytes: documentBytes };
      assert.equal(await store.insertBudget(budget, [event], null, exact), "written");
      const second = aBudget({ id: "11" });
      assert.equal(await store.insertBudget(second, [], null, { budgets: 1, bytes: null }), "quota-exceeded");
      assert.equal(await store.insertBudget(second, [], null, { budgets: 2, bytes: documentBytes }), "quota-exceeded");
      assert.equal(await store.insertBudget(second, [], null, { budgets: 2, bytes: null }), "written");
    });

    it("a storage quota applies to one business", async (store) => {
      await store.insertBudget(aBudget(), [], null);
      const other = aBudget({ businessId: "2" });
      assert.equal(await store.insertBudget(other, [], null, { budgets: 1, bytes: null }), "written");
    });

    it("a storage quota refuses a replacement that grows, and accepts one that frees bytes", async (store) => {
      const stored = aBudget({ notes: "a note of some length" });
      await store.insertBudget(stored, [], null);
      const full = { budgets: 0, bytes: 0 };
      const longer = aBudget({ version: 2, notes: "a note of some more length" });
      assert.equal(await store.replaceBudget(longer, 1, [], null, full), "quota-exceeded");
      assert.deepEqual(await store.findBudget("1", "10"), stored);
      const kept = aBudget({ version: 2, revision: 2, notes: "" });
      assert.equal(await store.replaceBudget(kept, 1, [], null, full), "quota-exceeded");
      assert.equal(await store.replaceBudget(aBudget({ version: 2, notes: "" }), 1, [], null, full), "written");
      assert.equal(await store.replaceBudget(longer, 1, [], null, full), "stale");
    });

    it("concurrent budgets never exceed a storage quota (quota-exceeded)", async (store) => {
      const quota = { budgets: 5, bytes: null };
      const outcomes = await allAtOnce(20, (index) =>
        store.insertBudget(aBudget({ id: String(100 + index) }), [anEvent({ id: String(200 + index) })], null, quota),
      );
      assert.deepEqual([countOf(outcomes, "written"), countOf(outcomes, "quota-exceeded")], [5, 15]);
      assert.equal((await store.measureStorage("1")).budgets, 5);
    });

    it("concurrent bytes never exceed a storage quota (quota-exceeded)", async (store) => {
      const budgets = Array.from({ length: 20 }, (_, index) => aBudget({ id: String(100 + index) }));
      const { documentBytes } = used(1, aBudget({ id: "100" }));
      const quota = { budgets: null, bytes: 3 * documentBytes };
      const outcomes = await Promise.all(budgets.map((budget) => store.insertBudget(budget, [], null, quota)));
      assert.equal(countOf(outcomes, "written"), 3);
      assert.equal((await store.measureStorage("1")).documentBytes, 3 * documentBytes);
    });
  });
}

function attachmentQuotaCases({ describe, it }: Suite): void {
  describe("a storage quota of files", () => {
    it("a storage quota counts files and documents together, also concurrently (quota-exceeded)", async (store) => {
      await store.insertBudget(aBudget(), [], null);
      const quota = { budgets: null, bytes: used(1, aBudget()).documentBytes + 250 };
      const outcomes = await allAtOnce(10, (index) =>
        store.insertAttachment(anAttachment({ id: String(100 + index), size: 100 }), 1, 100, [], quota),
      );
      assert.deepEqual([countOf(outcomes, "written"), countOf(outcomes, "quota-exceeded")], [2, 8]);
      assert.equal((await store.listAttachments("1", "10", 100, 0)).total, 2);
      assert.equal((await store.measureStorage("1")).attachmentBytes, 200);
    });
  });
}

function used(budgets: number, ...documents: readonly object[]) {
  const documentBytes = documents.reduce((sum, document) => sum + Buffer.byteLength(JSON.stringify(document)), 0);
  return { budgets, documentBytes, attachmentBytes: 0, deliveryBytes: 0 };
}
