import assert from "node:assert/strict";
import type { Integration, Store } from "@budgetkit/core/store";
import { insertIntegrationCommit, replaceIntegrationCommit } from "@budgetkit/core/store";
import { FIXTURE_TIME as NOW } from "../fixtures.js";
import { anIntegration } from "../integration-fixtures.js";
import { outcomeOf } from "../outcome.js";
import { type Cases, END_OF_2199, MAX, NESTED, ODD_TEXT } from "./extremes.js";
import { allAtOnce, type Suite } from "./suite.js";

export function integrationCases(suite: Suite): void {
  writeCases(suite);
  listCases(suite);
  roundTripCases(suite);
}

function writeCases({ describe, it }: Suite): void {
  describe("an integration", () => {
    it("a stored integration does not change with the caller's input", async (store) => {
      const config = { colour: "red" };
      await store.commit(insertIntegrationCommit(anIntegration({ config })));
      config.colour = "blue";
      assert.deepEqual((await store.findIntegration("1", "50"))?.config, { colour: "red" });
    });
  });
}

function listCases({ describe, it }: Suite): void {
  describe("listing integrations", () => {
    it("lists integrations newest first, and the higher id among those of one moment", async (store) => {
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

    it("pages of integrations together hold each once, and count the whole list", async (store) => {
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

    it("lists integrations of their own business, inactive ones included", async (store) => {
      await store.commit(insertIntegrationCommit(anIntegration({ status: "INACTIVE" })));
      await store.commit(insertIntegrationCommit(anIntegration({ businessId: "2", id: "51" })));
      assert.deepEqual(await idsOf(store, 10, 0), ["50"]);
      assert.equal((await store.listIntegrations("3", 10, 0)).total, 0);
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
      it(`an integration comes back as it went in ${name}`, async (store) => {
        const stored = anIntegration(overrides);
        await store.commit(insertIntegrationCommit(stored));
        assert.deepEqual(await store.findIntegration("1", stored.id), stored);
        assert.deepEqual((await store.listIntegrations("1", 10, 0)).entries, [stored]);
      });

      it(`an integration comes back as it went in ${name}, when it replaces another`, async (store) => {
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
