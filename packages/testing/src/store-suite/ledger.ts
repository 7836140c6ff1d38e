import assert from "node:assert/strict";
import { type DomainEvent, entryHash, entryText, type LedgerEntry, type Store } from "@budgetkit/core/store";
import { aBudget, anAuditEntry, anEvent, FIXTURE_TIME as NOW } from "../fixtures.js";
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
  return store.insertBudget(aBudget({ id }), [anEvent({ id, type: "budget.updated", ...event })], null);
}

export function ledgerCases({ describe, it, itDurably }: Suite): void {
  describe("the revisions of a subject", () => {
    it("revisions count 1, 2, 3 … for each subject of each kind", async (store) => {
      await commit(store, "91", { type: "budget.created", subjectId: "10" });
      await commit(store, "92", { type: "customer.created", subjectId: "10" });
      await commit(store, "93", { subjectId: "10" });
      await commit(store, "94", { subjectId: "11" });
      await commit(store, "95", { type: "customer.updated", subjectId: "10" });
      await commit(store, "96", { subjectId: "10" });
      await store.appendAudit(anAuditEntry({ id: "97", type: "webhook.created", subjectId: "10" }));
      assert.deepEqual(await revisionsOf(store, "10", "budget"), [1, 2, 3]);
      assert.deepEqual(await revisionsOf(store, "10", "customer"), [1, 2]);
      assert.deepEqual(await revisionsOf(store, "11", "budget"), [1]);
      assert.deepEqual(await revisionsOf(store, "10", "webhook"), [1]);
    });

    it("revisions count the events of one commit, without gaps for failed commits", async (store) => {
      const events = ["91", "92", "93"].map((id) => anEvent({ id, type: "budget.updated" }));
      await store.insertBudget(aBudget(), events, null);
      const late = [anEvent({ id: "94", type: "budget.updated" })];
      assert.equal(await store.replaceBudget(aBudget({ version: 9 }), 8, late, null), "stale");
      await store.replaceBudget(aBudget({ version: 2 }), 1, [anEvent({ id: "95", type: "budget.updated" })], null);
      assert.deepEqual(await revisionsOf(store, "10", "budget"), [1, 2, 3, 4]);
    });

    it("revisions count for each business", async (store) => {
      await commit(store, "91", { subjectId: "10" });
      await store.insertBudget(
        aBudget({ businessId: "2" }),
        [anEvent({ businessId: "2", type: "budget.updated" })],
        null,
      );
      assert.equal((await ledgerOf(store, "2"))[0]?.entry.revision, 1);
    });

    it("many writers draw each revision once", async (store) => {
      await allAtOnce(40, (index) => commit(store, String(100 + index), { subjectId: index % 2 === 0 ? "10" : "11" }));
      const expected = Array.from({ length: 20 }, (_, index) => index + 1);
      assert.deepEqual(await revisionsOf(store, "10", "budget"), expected);
      assert.deepEqual(await revisionsOf(store, "11", "budget"), expected);
      assertChained(await ledgerOf(store));
    });

    it("revisions continue after the entries of the subject were removed", async (store) => {
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

    it("the ledger chains each entry to the one before, audit entries included", async (store) => {
      for (const [index, text] of TEXTS.entries()) {
        await commit(store, String(91 + index), { ...text, subjectId: "10" });
        await store.appendAudit(anAuditEntry({ ...text, id: String(81 + index) }));
      }
      const entries = await ledgerOf(store);
      assert.equal(entries.length, 2 * TEXTS.length);
      assertChained(entries);
    });

    it("reads the ledger of one business in order, in pages", async (store) => {
      for (let index = 1; index <= 9; index += 1) await commit(store, String(90 + index), { subjectId: "10" });
      await store.insertBudget(aBudget({ businessId: "2" }), [anEvent({ businessId: "2" })], null);
      const read = async (after: number, limit: number) =>
        (await store.readLedger("1", { after, limit })).map(({ entry }) => entry.sequence);
      assert.deepEqual(await read(0, 4), [1, 2, 3, 4]);
      assert.deepEqual(await read(4, 100), [5, 6, 7, 8, 9]);
      assert.deepEqual(await read(9, 100), []);
      assert.deepEqual(await store.readLedger("no id", { after: 0, limit: 100 }), []);
    });

    itDurably("the ledger is the same after a restart", async (store, reopen) => {
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
