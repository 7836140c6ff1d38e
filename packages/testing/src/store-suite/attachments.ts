import assert from "node:assert/strict";
import type { Store } from "@budgetkit/core/store";
import {
  insertAttachmentCommit,
  insertBudgetCommit,
  removeAttachmentCommit,
  replaceBudgetCommit,
} from "@budgetkit/core/store";
import { anAttachment } from "../attachment-fixtures.js";
import { aBudget, anEvent, anEventQuery, FIXTURE_TIME as NOW } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";
import { subscribe } from "./webhook-samples.js";

const MAX = 3;

export function attachmentCases(suite: Suite): void {
  insertCases(suite);
  readCases(suite);
  removeCases(suite);
}

function insertCases({ describe, it }: Suite): void {
  describe("an attachment", () => {
    it("an attachment is stored unchanged, with its events", async (store) => {
      await withBudget(store);
      await subscribe(store, "1");
      const attachment = anAttachment({ fileName: "Ñandú 🙂.pdf", size: 26_214_400, createdAt: NOW + 1 });
      const events = [anEvent({ id: "91", type: "budget.updated" }), anEvent({ id: "92" })];
      assert.equal(await outcomeOf(store, insertAttachmentCommit(attachment, 1, MAX, { events })), "written");
      assert.deepEqual(await store.findAttachment("1", "10", "80"), attachment);
      assert.deepEqual(await idsOfEvents(store), ["92", "91"]);
      const [first] = await store.findUndispatchedEvents(10);
      assert.equal(first?.id, "91");
    });

    it("refuses an attachment beyond the limit, and writes no event (attachment-limit)", async (store) => {
      await withBudget(store);
      await store.commit(insertBudgetCommit(aBudget({ id: "11" })));
      for (const id of ["80", "81", "82"]) await store.commit(insertAttachmentCommit(anAttachment({ id }), 1, MAX));
      assert.equal(
        await outcomeOf(store, insertAttachmentCommit(anAttachment({ id: "83" }), 1, MAX, { events: [anEvent()] })),
        "attachment-limit",
      );
      assert.deepEqual(await idsOfEvents(store), []);
      const elsewhere = anAttachment({ id: "84", budgetId: "11" });
      assert.equal(await outcomeOf(store, insertAttachmentCommit(elsewhere, 1, MAX)), "written");
    });

    it("gives the last place for attachments once, however many ask for it", async (store) => {
      await withBudget(store);
      const outcomes = await allAtOnce(20, (index) => {
        const id = String(100 + index);
        return outcomeOf(store, insertAttachmentCommit(anAttachment({ id }), 1, MAX, { events: [anEvent({ id })] }));
      });
      assert.deepEqual([countOf(outcomes, "written"), countOf(outcomes, "attachment-limit")], [MAX, 20 - MAX]);
      assert.equal((await store.listAttachments("1", "10", 100, 0)).total, MAX);
      assert.equal((await idsOfEvents(store)).length, MAX);
    });

    it("adding an attachment and deleting its budget happen one after the other", async (store) => {
      await withBudget(store);
      const deleted = aBudget({ version: 2, status: "DELETED", deletion: { deletedAt: NOW, from: "PENDING" } });
      const outcomes = await Promise.all([
        outcomeOf(store, replaceBudgetCommit(deleted, 1, { events: [anEvent({ id: "91" })] })),
        outcomeOf(store, insertAttachmentCommit(anAttachment(), 1, MAX, { events: [anEvent({ id: "92" })] })),
      ]);
      assert.equal(outcomes[0], "written");
      const isThere = (await store.findAttachment("1", "10", "80")) !== null;
      assert.equal(outcomes[1], isThere ? "written" : "stale");
      assert.deepEqual(await idsOfEvents(store), isThere ? ["91", "92"] : ["91"]);
    });
  });
}

function readCases({ describe, it }: Suite): void {
  describe("the attachments of a budget", () => {
    it("finds an attachment by its own budget alone", async (store) => {
      await withBudget(store);
      await store.commit(insertBudgetCommit(aBudget({ id: "11" })));
      await store.commit(insertAttachmentCommit(anAttachment(), 1, MAX));
      assert.equal(await store.findAttachment("1", "11", "80"), null);
      assert.equal(
        await outcomeOf(
          store,
          removeAttachmentCommit({ businessId: "1", budgetId: "11", id: "80" }, 1, { events: [anEvent()] }),
        ),
        "missing",
      );
      assert.deepEqual(await idsOfEvents(store), []);
    });

    it("finds attachments by their ids, across businesses", async (store) => {
      await withBudget(store);
      await store.commit(insertBudgetCommit(aBudget({ businessId: "2" })));
      await store.commit(insertAttachmentCommit(anAttachment({ id: "80" }), 1, MAX));
      await store.commit(insertAttachmentCommit(anAttachment({ id: "82", businessId: "2" }), 1, MAX));
      const found = await store.findAttachmentIds(["80", "81", "82", "82", "abc", "080", ""]);
      assert.deepEqual([...found].sort(), ["80", "82"]);
      assert.deepEqual(await store.findAttachmentIds([]), []);
    });
  });
}

function removeCases({ describe, it }: Suite): void {
  describe("removing an attachment", () => {
    it("removing an attachment makes room for another", async (store) => {
      await withBudget(store);
      for (const id of ["80", "81", "82"]) await store.commit(insertAttachmentCommit(anAttachment({ id }), 1, MAX));
      await store.commit(removeAttachmentCommit({ businessId: "1", budgetId: "10", id: "80" }, 1));
      assert.equal(await outcomeOf(store, insertAttachmentCommit(anAttachment({ id: "83" }), 1, MAX)), "written");
    });
  });
}

async function withBudget(store: Store): Promise<void> {
  await store.commit(insertBudgetCommit(aBudget()));
}

async function idsOfEvents(store: Store): Promise<string[]> {
  return (await store.listEvents("1", anEventQuery())).entries.map(({ id }) => id);
}
