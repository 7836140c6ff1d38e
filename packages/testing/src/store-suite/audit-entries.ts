import assert from "node:assert/strict";
import { AUDIT_TYPES, auditCommit, insertBudgetCommit } from "@budgetkit/core/store";
import { aBudget, anAuditEntry, anEvent, anEventQuery, FIXTURE_TIME as NOW } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { allAtOnce, type Suite } from "./suite.js";
import { subscribe } from "./webhook-samples.js";

export function auditCases({ describe, it, itDurably }: Suite): void {
  describe("audit entries", () => {
    it("stand among the events, in the order of the commits, as they were handed in", async (store) => {
      await store.commit(insertBudgetCommit(aBudget(), { events: [anEvent({ id: "91" })] }));
      await store.commit(auditCommit(anAuditEntry({ id: "92" })));
      await store.commit(insertBudgetCommit(aBudget({ id: "11" }), { events: [anEvent({ id: "93" })] }));
      const { entries, total } = await store.listEvents("1", anEventQuery());
      assert.deepEqual([entries.map(({ id }) => id), total], [["93", "92", "91"], 3]);
      const sequences = entries.map(({ sequence }) => sequence);
      assert.deepEqual(
        sequences,
        [...new Set(sequences)].sort((a, b) => b - a),
      );
      assert.deepEqual(entries[1], { ...anAuditEntry({ id: "92" }), sequence: sequences[1], revision: 1 });
    });

    it("are never fanned out", async (store) => {
      await subscribe(store, "1");
      await store.commit(auditCommit(anAuditEntry()));
      assert.deepEqual(await store.findUndispatchedEvents(10), []);
    });

    for (const type of AUDIT_TYPES) {
      it(`are found by the type ${type}, their subject and their time`, async (store) => {
        await store.commit(insertBudgetCommit(aBudget(), { events: [anEvent()] }));
        await store.commit(auditCommit(anAuditEntry({ type, subjectId: "20", occurredAt: NOW + 7 })));
        for (const query of [{ type }, { subjectId: "20" }, { since: NOW + 7, until: NOW + 7 }]) {
          const { entries, total } = await store.listEvents("1", anEventQuery(query));
          assert.deepEqual([entries.map((entry) => entry.type), total], [[type], 1]);
        }
      });
    }

    it("are found with events within a list of types, and counted", async (store) => {
      await store.commit(insertBudgetCommit(aBudget(), { events: [anEvent()] }));
      await store.commit(auditCommit(anAuditEntry({ id: "91", type: "package.created" })));
      await store.commit(auditCommit(anAuditEntry({ id: "92", type: "user.invited" })));
      const found = async (query: Parameters<typeof anEventQuery>[0]) => {
        const { entries, total } = await store.listEvents("1", anEventQuery(query));
        return [entries.map(({ type }) => type), total];
      };
      const within = ["budget.created", "user.invited"] as const;
      assert.deepEqual(await found({ within }), [["user.invited", "budget.created"], 2]);
      assert.deepEqual(await found({ within, limit: 1 }), [["user.invited"], 2]);
      assert.deepEqual(await found({ within, type: "user.invited" }), [["user.invited"], 1]);
      assert.deepEqual(await found({ within, type: "package.created" }), [[], 0]);
      assert.deepEqual(await found({ within: [] }), [[], 0]);
    });

    it("keep to their business", async (store) => {
      await store.commit(auditCommit(anAuditEntry()));
      assert.equal((await store.listEvents("2", anEventQuery())).total, 0);
    });

    it("are each kept once, however many come at once", async (store) => {
      await allAtOnce(20, (index) => outcomeOf(store, auditCommit(anAuditEntry({ id: String(100 + index) }))));
      const { entries } = await store.listEvents("1", anEventQuery());
      assert.equal(new Set(entries.map(({ sequence }) => sequence)).size, 20);
    });

    itDurably("are there once they were acknowledged", async (store, reopen) => {
      await store.commit(auditCommit(anAuditEntry()));
      assert.equal((await (await reopen()).listEvents("1", anEventQuery())).total, 1);
    });
  });
}
