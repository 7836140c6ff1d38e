import {
  insertIntegrationCommit,
  removeIntegrationCommit,
  replaceIntegrationCommit,
  type Store,
} from "@budgetkit/core/store";
import { anIntegration, FIXTURE_TIME } from "@budgetkit/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExplainedStore, explainedStore } from "../testing/explained-store.js";
import { testSchema } from "../testing/test-schema.js";

describe("how PostgreSQL answers about integrations", () => {
  const schema = testSchema();
  let explained: ExplainedStore;
  let store: Store;

  beforeAll(async () => {
    await schema.freshStore();
    explained = explainedStore(schema);
    store = explained.store;
    await schema.query(
      `INSERT INTO @integrations (business_id, id, version, created_at, document)
       SELECT 1 + n % 20, n, 1, ${FIXTURE_TIME} + n, '{}' FROM generate_series(1, 20000) AS n`,
    );
    await schema.query("ANALYZE @integrations");
  });

  afterAll(() => explained.close());

  const calls: Readonly<Record<string, readonly [call: () => Promise<unknown>, index: string]>> = {
    "a list": [() => store.listIntegrations("1", 10, 0), "integrations_by_creation"],
    "a look-up": [() => store.findIntegration("1", "20"), "integrations_pkey"],
    "a new one": [
      () => store.commit(insertIntegrationCommit(anIntegration({ id: "90000" }), 999)),
      "integrations_\\w+",
    ],
    "a replacement": [
      () => store.commit(replaceIntegrationCommit(anIntegration({ id: "20", version: 2 }), 1)),
      "integrations_pkey",
    ],
    "a removal": [() => store.commit(removeIntegrationCommit("1", "40")), "integrations_pkey"],
  };

  for (const [name, [call, index]] of Object.entries(calls)) {
    it(`reads along an index for ${name}`, async () => {
      const plans = await explained.plansOfOne(call);
      expect(plans.join("\n")).toMatch(
        new RegExp(`(Index (Only )?Scan (Backward )?using|Bitmap Index Scan on) ${index}`),
      );
      expect(plans.join("\n")).not.toContain("Seq Scan");
    });
  }
});
