import assert from "node:assert/strict";
import type { StorageQuota } from "@budgetkit/core/store";
import {
  auditCommit,
  insertAttachmentCommit,
  insertBudgetCommit,
  recordPaymentCommit,
  removeAttachmentCommit,
  replaceBudgetCommit,
} from "@budgetkit/core/store";
import { anAttachment } from "../attachment-fixtures.js";
import { aBudget, anAuditEntry, anEvent, FIXTURE_TIME as NOW } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
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
    it("is nothing at first, and counts budgets and the bytes of their documents and events", async (store) => {
      assert.deepEqual(await store.measureStorage("1"), NONE);
      const [budget, event, audit] = [aBudget({ notes: "Ñandú 🙂" }), anEvent(), anAuditEntry()];
      await store.commit(insertBudgetCommit(budget, { events: [event] }));
      await store.commit(auditCommit(audit));
      assert.deepEqual(await store.measureStorage("1"), used(1, budget, event, audit));
      assert.deepEqual(await store.measureStorage("2"), NONE);
    });

    it("counts what takes the place of a budget, and the revisions beside it", async (store) => {
      const [first, longer] = [aBudget(), aBudget({ version: 2, notes: "a longer note" })];
      const revised = aBudget({ version: 3, revision: 2, notes: "short" });
      await store.commit(insertBudgetCommit(first));
      await store.commit(replaceBudgetCommit(longer, 1, { events: [anEvent()] }));
      assert.deepEqual(await store.measureStorage("1"), used(1, longer, anEvent()));
      await store.commit(replaceBudgetCommit(revised, 2));
      assert.deepEqual(await store.measureStorage("1"), used(1, longer, anEvent(), revised));
      assert.equal(
        await outcomeOf(store, replaceBudgetCommit(aBudget({ version: 9 }), 1, { events: [anEvent({ id: "91" })] })),
        "stale",
      );
      assert.deepEqual(await store.measureStorage("1"), used(1, longer, anEvent(), revised));
    });

    it("counts a payment's event, and the files of attachments until they are removed", async (store) => {
      const [budget, paid] = [aBudget(), aBudget({ version: 2, paid: 500 })];
      await store.commit(insertBudgetCommit(budget));
      await store.commit(recordPaymentCommit(aPayment(), paid, 1, { events: [anEvent()] }));
      await store.commit(
        insertAttachmentCommit(anAttachment({ size: 1_000 }), 2, 3, { events: [anEvent({ id: "91" })] }),
      );
      const [first, second] = [anEvent(), anEvent({ id: "91" })];
      assert.deepEqual(await store.measureStorage("1"), {
        ...used(1, paid, first, second),
        attachmentBytes: 1_000,
      });
      await store.commit(removeAttachmentCommit({ businessId: "1", budgetId: "10", id: "80" }, 2));
      assert.deepEqual(await store.measureStorage("1"), used(1, paid, first, second));
    });

    it("gets back the bytes of events that are pruned, of each business", async (store) => {
      await subscribe(store, "1", "2");
      const old = [anEvent({ id: "91", occurredAt: NOW - 2 }), anEvent({ id: "92", occurredAt: NOW - 1 })];
      for (const event of [...old, anEvent({ id: "93" })]) {
        await store.commit(insertBudgetCommit(aBudget({ id: event.id }), { events: [event] }));
      }
      await store.commit(
        insertBudgetCommit(aBudget({ businessId: "2" }), { events: [anEvent({ businessId: "2", occurredAt: 1 })] }),
      );
      for (const event of await store.findUndispatchedEvents(10)) await store.fanOut(event, []);
      assert.deepEqual([await removeEntries(store, NOW), await removeEntries(store, NOW, "2")], [2, 1]);
      const kept = ["91", "92", "93"].map((id) => aBudget({ id }));
      assert.deepEqual(await store.measureStorage("1"), used(3, ...kept, anEvent({ id: "93" })));
      assert.deepEqual(await store.measureStorage("2"), used(1, aBudget({ businessId: "2" })));
    });

    itDurably("is the same after the store was reopened", async (store, reopen) => {
      await store.commit(insertBudgetCommit(aBudget(), { events: [anEvent()] }));
      assert.deepEqual(await (await reopen()).measureStorage("1"), used(1, aBudget(), anEvent()));
    });

    itWithHost("counts a write of a host's transaction when that commits", async (store, host) => {
      for (const ends of ["rollback", "commit"] as const) {
        const transaction = await host.begin();
        const within = store.withConnection(transaction.connection);
        await within.commit(insertBudgetCommit(aBudget()));
        assert.deepEqual(await within.measureStorage("1"), used(1, aBudget()));
        await transaction[ends]();
        assert.deepEqual(await store.measureStorage("1"), ends === "commit" ? used(1, aBudget()) : NONE);
      }
    });
  });
}

function quotaCases({ describe, it }: Suite): void {
  describe("a storage quota", () => {
    it("lets the last byte and the last budget in, and no more", async (store) => {
      const [budget, event] = [aBudget(), anEvent()];
      const { documentBytes } = used(1, budget, event);
      const small = { ...UNLIMITED, bytes: documentBytes - 1 };
      assert.equal(
        await outcomeOf(store, insertBudgetCommit(budget, { events: [event], quota: small })),
        "quota-exceeded",
      );
      assert.deepEqual(await store.measureStorage("1"), NONE);
      assert.equal(await store.findBudget("1", "10"), null);
      const exact = { budgets: 1, bytes: documentBytes };
      assert.equal(await outcomeOf(store, insertBudgetCommit(budget, { events: [event], quota: exact })), "written");
      const second = aBudget({ id: "11" });
      assert.equal(
        await outcomeOf(store, insertBudgetCommit(second, { quota: { budgets: 1, bytes: null } })),
        "quota-exceeded",
      );
      assert.equal(
        await outcomeOf(store, insertBudgetCommit(second, { quota: { budgets: 2, bytes: documentBytes } })),
        "quota-exceeded",
      );
      assert.equal(
        await outcomeOf(store, insertBudgetCommit(second, { quota: { budgets: 2, bytes: null } })),
        "written",
      );
    });

    it("is of one business", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      const other = aBudget({ businessId: "2" });
      assert.equal(
        await outcomeOf(store, insertBudgetCommit(other, { quota: { budgets: 1, bytes: null } })),
        "written",
      );
    });

    it("refuses a replacement that grows, and lets one that frees bytes pass", async (store) => {
      const stored = aBudget({ notes: "a note of some length" });
      await store.commit(insertBudgetCommit(stored));
      const full = { budgets: 0, bytes: 0 };
      const longer = aBudget({ version: 2, notes: "a note of some more length" });
      assert.equal(await outcomeOf(store, replaceBudgetCommit(longer, 1, { quota: full })), "quota-exceeded");
      assert.deepEqual(await store.findBudget("1", "10"), stored);
      const kept = aBudget({ version: 2, revision: 2, notes: "" });
      assert.equal(await outcomeOf(store, replaceBudgetCommit(kept, 1, { quota: full })), "quota-exceeded");
      assert.equal(
        await outcomeOf(store, replaceBudgetCommit(aBudget({ version: 2, notes: "" }), 1, { quota: full })),
        "written",
      );
      assert.equal(await outcomeOf(store, replaceBudgetCommit(longer, 1, { quota: full })), "stale");
    });

    it("is never exceeded by budgets that are added at the same time", async (store) => {
      const quota = { budgets: 5, bytes: null };
      const outcomes = await allAtOnce(20, (index) =>
        outcomeOf(
          store,
          insertBudgetCommit(aBudget({ id: String(100 + index) }), {
            events: [anEvent({ id: String(200 + index) })],
            quota,
          }),
        ),
      );
      assert.deepEqual([countOf(outcomes, "written"), countOf(outcomes, "quota-exceeded")], [5, 15]);
      assert.equal((await store.measureStorage("1")).budgets, 5);
    });

    it("is never exceeded by bytes that are added at the same time", async (store) => {
      const budgets = Array.from({ length: 20 }, (_, index) => aBudget({ id: String(100 + index) }));
      const { documentBytes } = used(1, aBudget({ id: "100" }));
      const quota = { budgets: null, bytes: 3 * documentBytes };
      const outcomes = await Promise.all(
        budgets.map((budget) => outcomeOf(store, insertBudgetCommit(budget, { quota }))),
      );
      assert.equal(countOf(outcomes, "written"), 3);
      assert.equal((await store.measureStorage("1")).documentBytes, 3 * documentBytes);
    });
  });
}

function attachmentQuotaCases({ describe, it }: Suite): void {
  describe("a storage quota of files", () => {
    it("counts files and documents together, however many come at once", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      const quota = { budgets: null, bytes: used(1, aBudget()).documentBytes + 250 };
      const outcomes = await allAtOnce(10, (index) =>
        outcomeOf(
          store,
          insertAttachmentCommit(anAttachment({ id: String(100 + index), size: 100 }), 1, 100, { quota }),
        ),
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
