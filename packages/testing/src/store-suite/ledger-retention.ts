import assert from "node:assert/strict";
import type { LedgerStart, Store } from "@budgetkit/core/store";
import { auditCommit, insertBudgetCommit } from "@budgetkit/core/store";
import { aBudget, anAuditEntry, anEvent, anEventQuery, FIXTURE_TIME as NOW } from "../fixtures.js";
import { allAtOnce, type Suite } from "./suite.js";
import { subscribe } from "./webhook-samples.js";

/**
 * Removes the entries of a business from before a moment as the retention does, up to the first that is younger or
 * waits, and returns their number.
 */
export async function removeEntries(store: Store, before: number, businessId = "1"): Promise<number> {
  const { start, waiting } = await store.findLedgerBounds(businessId);
  const former = start?.sequence ?? 0;
  const entries = await store.readLedger(businessId, { after: former, limit: 100 });
  const kept = entries.findIndex(
    ({ entry }) => entry.occurredAt >= before || (waiting !== null && entry.sequence >= waiting),
  );
  const last = (kept === -1 ? entries : entries.slice(0, kept)).at(-1);
  return last === undefined ? 0 : store.pruneLedger(businessId, startAt(last.entry.sequence, last.hash), former);
}

function startAt(sequence: number, hash: string | null): LedgerStart {
  return { sequence, hash, checkpoint: `signed ${sequence}` };
}

async function append(store: Store, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) await store.commit(auditCommit(anAuditEntry({ id })));
}

async function sequences(store: Store): Promise<readonly number[]> {
  return (await store.readLedger("1", { after: 0, limit: 100 })).map(({ entry }) => entry.sequence);
}

export function ledgerRetentionCases({ describe, it, itDurably }: Suite): void {
  describe("the bounds of a ledger", () => {
    it("are those of an empty one at first", async (store) => {
      const empty = { start: null, beginning: null, head: { sequence: 0, hash: null }, waiting: null };
      assert.deepEqual(await store.findLedgerBounds("1"), empty);
      assert.deepEqual(await store.findLedgerBounds("no id"), empty);
    });

    it("name the last entry, and the first that waits for its fan-out", async (store) => {
      await append(store, "91");
      await subscribe(store, "1");
      await store.commit(insertBudgetCommit(aBudget(), { events: [anEvent({ id: "92" }), anEvent({ id: "93" })] }));
      const [, , last] = await store.readLedger("1", { after: 0, limit: 100 });
      const { start, head, waiting } = await store.findLedgerBounds("1");
      assert.deepEqual([start, head, waiting], [null, { sequence: 3, hash: last?.hash }, 2]);
      assert.equal((await store.findLedgerBounds("2")).head.sequence, 0);
    });
  });

  describe("the chain of a ledger", () => {
    it("begins with its first entry, of which nothing has to be signed", async (store) => {
      await append(store, "91");
      await store.pruneLedger("1", startAt(1, "hash"), 0);
      assert.equal((await store.findLedgerBounds("1")).beginning, null);
      assert.deepEqual(await store.findUnsignedBeginnings(10), []);
      assert.equal(await store.signBeginning("1", 1, "signed", null), false);
      assert.equal(await store.signBeginning("no id", 1, "signed", null), false);
      assert.equal((await store.findLedgerBounds("1")).beginning, null);
    });
  });

  describe("aged ledgers", () => {
    it("are those of the oldest entries, but those left out", async (store) => {
      for (const [businessId, age] of [
        ["1", 3],
        ["2", 2],
        ["3", 0],
      ] as const) {
        await store.commit(auditCommit(anAuditEntry({ businessId, occurredAt: NOW - age })));
      }
      assert.deepEqual([...(await store.findAgedLedgers(NOW, 10, []))].sort(), ["1", "2"]);
      assert.deepEqual(await store.findAgedLedgers(NOW, 1, []), ["1"]);
      assert.deepEqual(await store.findAgedLedgers(NOW, 10, ["1"]), ["2"]);
      assert.deepEqual(await store.findAgedLedgers(NOW - 3, 10, []), []);
    });
  });

  describe("removing the first entries of a ledger", () => {
    it("leaves their last one as its start, and counts their bytes no more", async (store) => {
      await append(store, "91", "92", "93");
      await store.commit(auditCommit(anAuditEntry({ businessId: "2" })));
      const [, second, third] = await store.readLedger("1", { after: 0, limit: 100 });
      const start = startAt(2, second?.hash ?? null);
      assert.equal(await store.pruneLedger("1", start, 0), 2);
      assert.deepEqual(await store.readLedger("1", { after: 0, limit: 100 }), [third]);
      assert.deepEqual((await store.findLedgerBounds("1")).start, start);
      assert.equal((await store.findLedgerBounds("1")).head.sequence, 3);
      assert.equal((await store.findLedgerBounds("2")).start, null);
      const { documentBytes } = await store.measureStorage("1");
      assert.equal(documentBytes, Buffer.byteLength(JSON.stringify(anAuditEntry({ id: "93" }))));
      assert.equal((await store.listEvents("2", anEventQuery())).total, 1);
    });

    it("happens once among concurrent callers, and continues from its start", async (store) => {
      await append(store, "91", "92", "93");
      const counts = await allAtOnce(5, () => store.pruneLedger("1", startAt(1, "hash"), 0));
      assert.deepEqual([...counts].sort(), [0, 0, 0, 0, 1]);
      assert.equal(await store.pruneLedger("1", startAt(3, "hash"), 0), 0);
      assert.deepEqual(await sequences(store), [2, 3]);
      assert.equal(await store.pruneLedger("1", startAt(3, "hash"), 1), 2);
      await append(store, "94");
      assert.deepEqual(await sequences(store), [4]);
    });

    itDurably("is kept", async (store, reopen) => {
      await append(store, "91", "92");
      await store.pruneLedger("1", startAt(1, null), 0);
      const again = await reopen();
      assert.deepEqual((await again.findLedgerBounds("1")).start, startAt(1, null));
      assert.deepEqual(await sequences(again), [2]);
    });
  });
}
