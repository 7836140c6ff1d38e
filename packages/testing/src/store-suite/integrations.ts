import assert from "node:assert/strict";
import type { Integration, Store } from "@budgetkit/core/store";
import { insertIntegrationCommit, removeIntegrationCommit, replaceIntegrationCommit } from "@budgetkit/core/store";
import { FIXTURE_TIME as NOW } from "../fixtures.js";
import { anIntegration } from "../integration-fixtures.js";
import { isWritten, outcomeOf } from "../outcome.js";
import { type Cases, END_OF_2199, MAX, NESTED, ODD_TEXT } from "./extremes.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";

export function integrationCases(suite: Suite): void {
  writeCases(suite);
  listCases(suite);
  deleteCases(suite);
  roundTripCases(suite);
}

function writeCases({ describe, it }: Suite): void {
  describe("an integration", () => {
    it("rejects an id that is taken, and stays as it was", async (store) => {
      await store.commit(insertIntegrationCommit(anIntegration({ name: "first" })));
      await assert.rejects(outcomeOf(store, insertIntegrationCommit(anIntegration({ name: "second" }))));
      assert.equal((await store.findIntegration("1", "50"))?.name, "first");
    });

    it("may have an id that another business uses", async (store) => {
      await store.commit(insertIntegrationCommit(anIntegration({ name: "ours" })));
      await store.commit(insertIntegrationCommit(anIntegration({ businessId: "2", name: "theirs" })));
      assert.equal((await store.findIntegration("1", "50"))?.name, "ours");
      assert.equal((await store.findIntegration("2", "50"))?.name, "theirs");
    });

    it("is stale for a version that is past, and stays as it was", async (store) => {
      await store.commit(insertIntegrationCommit(anIntegration({ version: 3 })));
      assert.equal(
        await outcomeOf(store, replaceIntegrationCommit(anIntegration({ version: 3, name: "late" }), 2)),
        "stale",
      );
      assert.deepEqual(await store.findIntegration("1", "50"), anIntegration({ version: 3 }));
    });

    it("is stale when it is not there or another business's, and is not added", async (store) => {
      assert.equal(await outcomeOf(store, replaceIntegrationCommit(anIntegration({ version: 2 }), 1)), "stale");
      assert.equal(await store.findIntegration("1", "50"), null);
      await store.commit(insertIntegrationCommit(anIntegration()));
      assert.equal(
        await outcomeOf(store, replaceIntegrationCommit(anIntegration({ businessId: "2", version: 2 }), 1)),
        "stale",
      );
      assert.equal(await store.findIntegration("2", "50"), null);
    });

    it("lets exactly one of 20 writers of the same version through", async (store) => {
      await store.commit(insertIntegrationCommit(anIntegration()));
      const outcomes = await allAtOnce(20, (index) =>
        outcomeOf(store, replaceIntegrationCommit(anIntegration({ version: 2, name: `n${index}` }), 1)),
      );
      assert.deepEqual([countOf(outcomes, "written"), countOf(outcomes, "stale")], [1, 19]);
      assert.equal((await store.findIntegration("1", "50"))?.name, `n${outcomes.indexOf("written")}`);
    });

    it("is apart from what was handed in", async (store) => {
      const config = { colour: "red" };
      await store.commit(insertIntegrationCommit(anIntegration({ config })));
      config.colour = "blue";
      assert.deepEqual((await store.findIntegration("1", "50"))?.config, { colour: "red" });
    });
  });
}

function listCases({ describe, it }: Suite): void {
  describe("listing integrations", () => {
    it("gives the newest first, and the higher id among those of one moment", async (store) => {
      for (const [id, age] of [
        ["50", 3],
        ["9", 1],
        ["100", 1],
        ["51", 2],
      ] as const) {
        await store.commit(insertIntegrationCommit(anIntegration({ id, createdAt: NOW - age })));
      }
      assert.deepEqual(await idsOf(store, 10, 0), ["100", "9", "51", "50"]);
    });

    it("gives pages that together hold each once, and counts the whole list", async (store) => {
      await allAtOnce(5, (index) =>
        outcomeOf(store, insertIntegrationCommit(anIntegration({ id: String(50 + index) }))),
      );
      const ids = [];
      for (const offset of [0, 2, 4, 6]) {
        ids.push(...(await idsOf(store, 2, offset)));
        assert.equal((await store.listIntegrations("1", 2, offset)).total, 5);
      }
      assert.deepEqual(ids, ["54", "53", "52", "51", "50"]);
    });

    it("keeps to the business, inactive ones included", async (store) => {
      await store.commit(insertIntegrationCommit(anIntegration({ status: "INACTIVE" })));
      await store.commit(insertIntegrationCommit(anIntegration({ businessId: "2", id: "51" })));
      assert.deepEqual(await idsOf(store, 10, 0), ["50"]);
      assert.equal((await store.listIntegrations("3", 10, 0)).total, 0);
    });
  });
}

function deleteCases({ describe, it, itDurably }: Suite): void {
  describe("deleting an integration", () => {
    it("removes it, and no other business's", async (store) => {
      await store.commit(insertIntegrationCommit(anIntegration()));
      await store.commit(insertIntegrationCommit(anIntegration({ businessId: "2" })));
      assert.equal(await isWritten(store, removeIntegrationCommit("1", "50")), true);
      assert.equal(await store.findIntegration("1", "50"), null);
      assert.equal((await store.listIntegrations("1", 10, 0)).total, 0);
      assert.equal(await outcomeOf(store, replaceIntegrationCommit(anIntegration({ version: 2 }), 1)), "stale");
      assert.notEqual(await store.findIntegration("2", "50"), null);
    });

    it("is answered true to one of 10 callers at once", async (store) => {
      await store.commit(insertIntegrationCommit(anIntegration()));
      const answers = await allAtOnce(10, () => isWritten(store, removeIntegrationCommit("1", "50")));
      assert.equal(countOf(answers, true), 1);
    });

    itDurably("and changing one are there after the store was reopened", async (store, reopen) => {
      await store.commit(insertIntegrationCommit(anIntegration()));
      await store.commit(insertIntegrationCommit(anIntegration({ id: "51" })));
      await store.commit(removeIntegrationCommit("1", "50"));
      await store.commit(replaceIntegrationCommit(anIntegration({ id: "51", version: 2, config: NESTED }), 1));
      const again = await reopen();
      const { entries } = await again.listIntegrations("1", 10, 0);
      assert.deepEqual(entries, [anIntegration({ id: "51", version: 2, config: NESTED })]);
    });
  });
}

const INTEGRATIONS: Cases<Integration> = {
  "of plain values": {},
  "with everything set": {
    name: ODD_TEXT,
    description: ODD_TEXT,
    status: "INACTIVE",
    apiKeyId: "20",
    webhookIds: ["60", "9", "100"],
    config: NESTED,
    updatedAt: END_OF_2199,
  },
  "with an empty description, which is not the same as none": { description: "" },
  "of the largest id and version": { id: String(MAX), version: MAX },
};

function roundTripCases({ describe, it }: Suite): void {
  describe("an integration comes back as it went in", () => {
    for (const [name, overrides] of Object.entries(INTEGRATIONS)) {
      it(name, async (store) => {
        const stored = anIntegration(overrides);
        await store.commit(insertIntegrationCommit(stored));
        assert.deepEqual(await store.findIntegration("1", stored.id), stored);
        assert.deepEqual((await store.listIntegrations("1", 10, 0)).entries, [stored]);
      });

      it(`${name}, when it replaces another`, async (store) => {
        const next = { ...anIntegration(overrides), id: "50", version: 2 };
        await store.commit(insertIntegrationCommit(anIntegration()));
        assert.equal(await outcomeOf(store, replaceIntegrationCommit(next, 1)), "written");
        assert.deepEqual(await store.findIntegration("1", "50"), next);
      });
    }
  });
}

async function idsOf(store: Store, limit: number, offset: number): Promise<string[]> {
  return (await store.listIntegrations("1", limit, offset)).entries.map(({ id }) => id);
}
