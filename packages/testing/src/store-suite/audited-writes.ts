import assert from "node:assert/strict";
import { type AuditEntry, insertBudgetCommit, queueMailCommit, type Store } from "@budgetkit/core/store";
import { aBudget, anAuditEntry, anEventQuery, FIXTURE_TIME as NOW } from "../fixtures.js";
import { aMail } from "../mail-fixtures.js";
import type { Suite } from "./suite.js";
import { addFinished, endpoint, subscribe } from "./webhook-samples.js";

/** Calls that write an audit entry and are no commits; each returns how many deliveries it retries, or whether it does. */
const RETRIES: Readonly<Record<string, (store: Store, id: string, audit: AuditEntry) => Promise<unknown>>> = {
  "a delivery that is retried": (store, id, audit) => store.redeliver("1", id, NOW, NOW + 1, audit),
  "deliveries that are retried": async (store, id, audit) => {
    const after = { createdAt: NOW, id: String(Number(id) - 1) };
    const redelivery = { subscriber: endpoint("60"), after, now: NOW, deadlineAt: NOW + 1, limit: 10, audit };
    return (await store.redeliverUndelivered("1", redelivery)).length > 0;
  },
};

export function auditedWriteCases({ describe, it }: Suite): void {
  describe("audit entries of calls that are no commits", () => {
    for (const [name, retry] of Object.entries(RETRIES)) {
      it(`writes the audit entry of ${name} with it, without a fan-out, and none when nothing is retried`, async (store) => {
        await subscribe(store, "1");
        await addFinished(store, "failed", { id: "70", createdAt: NOW });
        assert.equal(await retry(store, "71", anAuditEntry()), false);
        assert.equal(await countEntries(store), 0);
        assert.equal((await store.measureStorage("1")).documentBytes, 0);
        assert.equal(await retry(store, "70", anAuditEntry()), true);
        const { entries } = await store.listEvents("1", anEventQuery());
        assert.deepEqual(entries, [{ ...anAuditEntry(), sequence: 1, revision: 1 }]);
        assert.deepEqual(await store.findUndispatchedEvents(10), []);
        const { documentBytes } = await store.measureStorage("1");
        assert.equal(documentBytes, Buffer.byteLength(JSON.stringify(anAuditEntry())));
      });
    }

    it("commits the audit entry of a reminder with it, by the last claim only", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      await store.commit(queueMailCommit(aMail(), aBudget(), 1));
      const [first] = await store.claimReminderChecks(NOW, NOW + 1_000, 10);
      const [second] = await store.claimReminderChecks(NOW + 1_000, NOW + 1_005, 10);
      assert.ok(first !== undefined && second !== undefined);
      const reminder = aMail({ id: "61", kind: "reminder" });
      assert.equal(await store.settleReminderCheck(first, "replace", reminder, anAuditEntry()), false);
      assert.equal(await countEntries(store), 0);
      assert.equal(await store.settleReminderCheck(second, "replace", reminder, anAuditEntry()), true);
      assert.equal(await countEntries(store), 1);
    });
  });
}

async function countEntries(store: Store): Promise<number> {
  return (await store.listEvents("1", anEventQuery())).total;
}
