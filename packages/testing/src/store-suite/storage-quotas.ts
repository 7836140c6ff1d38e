import assert from "node:assert/strict";
import { auditCommit, insertAttachmentCommit, insertBudgetCommit, replaceBudgetCommit } from "@budgetkit/core/store";
import { anAttachment } from "../attachment-fixtures.js";
import { aBudget, anAuditEntry, anEvent, FIXTURE_TIME as NOW } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { removeEntries } from "./ledger-retention.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";
import { subscribe } from "./webhook-samples.js";

const NONE = { budgets: 0, documentBytes: 0, attachmentBytes: 0, deliveryBytes: 0 };

export function storageQuotaCases(suite: Suite): void {
  useCases(suite);
  quotaCases(suite);
  attachmentQuotaCases(suite);
}

function useCases({ describe, it }: Suite): void {
  describe("the storage of a business", () => {
    it("the storage of a business counts budgets and the bytes of their documents and events", async (store) => {
      assert.deepEqual(await store.measureStorage("1"), NONE);
      const [budget, event, audit] = [aBudget({ notes: "Ñandú 🙂" }), anEvent(), anAuditEntry()];
      await store.commit(insertBudgetCommit(budget, { events: [event] }));
      await store.commit(auditCommit(audit));
      assert.deepEqual(await store.measureStorage("1"), used(1, budget, event, audit));
      assert.deepEqual(await store.measureStorage("2"), NONE);
    });

    it("pruning frees the bytes of events, for each business", async (store) => {
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
  });
}

function quotaCases({ describe, it }: Suite): void {
  describe("a storage quota", () => {
    it("a storage quota applies to one business", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      const other = aBudget({ businessId: "2" });
      assert.equal(
        await outcomeOf(store, insertBudgetCommit(other, { quota: { budgets: 1, bytes: null } })),
        "written",
      );
    });

    it("a storage quota refuses a replacement that grows, and accepts one that frees bytes", async (store) => {
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

    it("concurrent budgets never exceed a storage quota (quota-exceeded)", async (store) => {
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

    it("concurrent bytes never exceed a storage quota (quota-exceeded)", async (store) => {
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
    it("a storage quota counts files and documents together, also concurrently (quota-exceeded)", async (store) => {
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
