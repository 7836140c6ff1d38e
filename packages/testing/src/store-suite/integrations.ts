import assert from "node:assert/strict";
import type { Integration } from "@budgetkit/core/store";
import { insertIntegrationCommit, replaceIntegrationCommit } from "@budgetkit/core/store";
import { anIntegration } from "../integration-fixtures.js";
import { outcomeOf } from "../outcome.js";
import { type Cases, END_OF_2199, MAX, NESTED, ODD_TEXT } from "./extremes.js";
import type { Suite } from "./suite.js";

export function integrationCases(suite: Suite): void {
  writeCases(suite);
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
