import assert from "node:assert/strict";
import { AUDIT_TYPES } from "@budgetkit/core/store";
import { aBudget, anAuditEntry, anEvent, anEventQuery, FIXTURE_TIME as NOW } from "../fixtures.js";
import { allAtOnce, type Suite } from "./suite.js";
import { subscribe } from "./webhook-samples.js";

export function auditCases({ describe, it, itDurably }: Suite): void {
  describe("audit entries", () => {
    it("audit entries stand among the events, unchanged, in the order of the commits", async (store) => {
      await store.insertBudget(aBudget(), [anEvent({ id: "91" })], null);
      await store.appendAudit(anAuditEntry({ id: "92" }));
      await store.insertBudget(aBudget({ id: "11" }), [anEvent({ id: "93" })], null);
      const { entries, total } = await store.listEvents("1", anEventQuery());
      assert.deepEqual([entries.map(({ id }) => id), total], [["93", "92", "91"], 3]);
      const sequences = entries.map(({ sequence }) => sequence);
      assert.deepEqual(
        sequences,
        [...new Set(sequences)].sort((a, b) => b - a),
      );
      assert.deepEqual(entries[1], { ...anAuditEntry({ id: "92" }), sequence: sequences[1], revision: 1 });
    });

    it("never fans out audit entries", async (store) => {
      await subscribe(store, "1");
      await store.appendAudit(anAuditEntry());
      assert.deepEqual(await store.findUndispatchedEvents(10), []);
    });

    for (const type of AUDIT_TYPES) {
      it(`finds audit entries by the type ${type}, their subject and their time`, async (store) => {
        await store.insertBudget(aBudget(), [anEvent()], null);
        await store.appendAudit(anAuditEntry({ type, subjectId: "20", occurredAt: NOW + 7 }));
        for (const query of [{ type }, { subjectId: "20" }, { since: NOW + 7, until: NOW + 7 }]) {
          const { entries, total } = await store.listEvents("1", anEventQuery(query));
          assert.deepEqual([entries.map((entry) => entry.type), total], [[type], 1]);
        }
      });
    }

    it("finds and counts audit entries with events within a list of types", async (store) => {
      await store.insertBudget(aBudget(), [anEvent()], null);
      await store.appendAudit(anAuditEntry({ id: "91", type: "package.created" }));
      await store.appendAudit(anAuditEntry({ id: "92", type: "user.invited" }));
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

    it("finds audit entries of their own business alone", async (store) => {
      await store.appendAudit(anAuditEntry());
      assert.equal((await store.listEvents("2", anEventQuery())).total, 0);
    });

    it("stores each of many concurrent audit entries once", async (store) => {
      await allAtOnce(20, (index) => store.appendAudit(anAuditEntry({ id: String(100 + index) })));
      const { entries } = await store.listEvents("1", anEventQuery());
      assert.equal(new Set(entries.map(({ sequence }) => sequence)).size, 20);
    });

    itDurably("audit entries are there once they were acknowledged", async (store, reopen) => {
      await store.appendAudit(anAuditEntry());
      assert.equal((await (await reopen()).listEvents("1", anEventQuery())).total, 1);
    });
  });
}
