import assert from "node:assert/strict";
import {
  auditCommit,
  type DomainEvent,
  entryHash,
  entryText,
  insertBudgetCommit,
  type LedgerEntry,
  replaceBudgetCommit,
  type Store,
} from "@budgetkit/core/store";
import { aBudget, anAuditEntry, anEvent, FIXTURE_TIME as NOW } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { removeEntries } from "./ledger-retention.js";
import { allAtOnce, type Suite } from "./suite.js";

/** The entries of a business in one list, read in pages. */
async function ledgerOf(store: Store, businessId = "1"): Promise<readonly LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  for (;;) {
    const page = await store.readLedger(businessId, { after: entries.at(-1)?.entry.sequence ?? 0, limit: 7 });
    entries.push(...page);
    if (page.length < 7) return entries;
  }
}

/** Asserts that each hash is that of its entry and the hash before. */
function assertChained(entries: readonly LedgerEntry[]): void {
  let previous: string | null = null;
  for (const { entry, hash } of entries) {
    const { sequence, revision, ...written } = entry;
    assert.equal(hash, entryHash(entryText(written), { previous, revision, sequence }), `entry ${sequence}`);
    previous = hash;
  }
}

/** The revisions of a subject, the first first. */
async function revisionsOf(store: Store, subjectId: string, kind: string): Promise<readonly number[]> {
  return (await ledgerOf(store))
    .filter(({ entry }) => entry.subjectId === subjectId && entry.type.startsWith(`${kind}.`))
    .map(({ entry }) => entry.revision);
}

/** Commits a later event of a budget. */
function commit(store: Store, id: string, event: Partial<DomainEvent> = {}): Promise<unknown> {
  return outcomeOf(
    store,
    insertBudgetCommit(aBudget({ id }), { events: [anEvent({ id, type: "budget.updated", ...event })] }),
  );
}

export function ledgerCases({ describe, it, itDurably }: Suite): void {
  describe("the revisions of a subject", () => {
    it("are 1, 2, 3 … for each subject of each kind", async (store) => {
      await commit(store, "91", { type: "budget.created", subjectId: "10" });
      await commit(store, "92", { type: "customer.created", subjectId: "10" });
      await commit(store, "93", { subjectId: "10" });
      await commit(store, "94", { subjectId: "11" });
      await commit(store, "95", { type: "customer.updated", subjectId: "10" });
      await commit(store, "96", { subjectId: "10" });
      await store.commit(auditCommit(anAuditEntry({ id: "97", type: "webhook.created", subjectId: "10" })));
      assert.deepEqual(await revisionsOf(store, "10", "budget"), [1, 2, 3]);
      assert.deepEqual(await revisionsOf(store, "10", "customer"), [1, 2]);
      assert.deepEqual(await revisionsOf(store, "11", "budget"), [1]);
      assert.deepEqual(await revisionsOf(store, "10", "webhook"), [1]);
    });

    it("count the events of one commit, and leave no gap for a commit that failed", async (store) => {
      const events = ["91", "92", "93"].map((id) => anEvent({ id, type: "budget.updated" }));
      await store.commit(insertBudgetCommit(aBudget(), { events }));
      const late = [anEvent({ id: "94", type: "budget.updated" })];
      assert.equal(await outcomeOf(store, replaceBudgetCommit(aBudget({ version: 9 }), 8, { events: late })), "stale");
      await store.commit(
        replaceBudgetCommit(aBudget({ version: 2 }), 1, { events: [anEvent({ id: "95", type: "budget.updated" })] }),
      );
      assert.deepEqual(await revisionsOf(store, "10", "budget"), [1, 2, 3, 4]);
    });

    it("are those of each business", async (store) => {
      await commit(store, "91", { subjectId: "10" });
      await store.commit(
        insertBudgetCommit(aBudget({ businessId: "2" }), {
          events: [anEvent({ businessId: "2", type: "budget.updated" })],
        }),
      );
      assert.equal((await ledgerOf(store, "2"))[0]?.entry.revision, 1);
    });

    it("are drawn once each by many writers", async (store) => {
      await allAtOnce(40, (index) => commit(store, String(100 + index), { subjectId: index % 2 === 0 ? "10" : "11" }));
      const expected = Array.from({ length: 20 }, (_, index) => index + 1);
      assert.deepEqual(await revisionsOf(store, "10", "budget"), expected);
      assert.deepEqual(await revisionsOf(store, "11", "budget"), expected);
      assertChained(await ledgerOf(store));
    });

    it("go on after the entries of the subject were removed", async (store) => {
      await commit(store, "91", { subjectId: "10" });
      await commit(store, "92", { subjectId: "10" });
      await removeEntries(store, NOW + 1);
      assert.deepEqual(await ledgerOf(store), []);
      await commit(store, "93", { subjectId: "10", occurredAt: NOW + 2 });
      const [{ entry } = { entry: null }] = await ledgerOf(store);
      assert.deepEqual([entry?.sequence, entry?.revision], [3, 3]);
    });
  });

  describe("the ledger", () => {
    const TEXTS: readonly Partial<Omit<DomainEvent, "type">>[] = [
      { data: { name: 'Ñandú 🐦 "quoted" \\ and \u0001', "10": 1, "9": 2, a: [1e21, 0.1, -0, null] } },
      { change: { fields: ["status"], from: null, to: "PENDING", reason: "line\nbreak" } },
      { origin: { requestId: "request", trace: null } },
    ];

    it("chains each entry to the one before, audit entries included", async (store) => {
      for (const [index, text] of TEXTS.entries()) {
        await commit(store, String(91 + index), { ...text, subjectId: "10" });
        await store.commit(auditCommit(anAuditEntry({ ...text, id: String(81 + index) })));
      }
      const entries = await ledgerOf(store);
      assert.equal(entries.length, 2 * TEXTS.length);
      assertChained(entries);
    });

    it("is read in order, by pages, for one business", async (store) => {
      for (let index = 1; index <= 9; index += 1) await commit(store, String(90 + index), { subjectId: "10" });
      await store.commit(insertBudgetCommit(aBudget({ businessId: "2" }), { events: [anEvent({ businessId: "2" })] }));
      const read = async (after: number, limit: number) =>
        (await store.readLedger("1", { after, limit })).map(({ entry }) => entry.sequence);
      assert.deepEqual(await read(0, 4), [1, 2, 3, 4]);
      assert.deepEqual(await read(4, 100), [5, 6, 7, 8, 9]);
      assert.deepEqual(await read(9, 100), []);
      assert.deepEqual(await store.readLedger("no id", { after: 0, limit: 100 }), []);
    });

    itDurably("is the same after a restart", async (store, reopen) => {
      await commit(store, "91", { subjectId: "10" });
      const before = await ledgerOf(store);
      const again = await reopen();
      await commit(again, "92", { subjectId: "10" });
      const after = await ledgerOf(again);
      assert.deepEqual(after.slice(0, 1), before);
      assertChained(after);
    });
  });
}
