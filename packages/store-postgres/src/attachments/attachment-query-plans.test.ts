import type { Store } from "@budgetkit/core/store";
import { aBudget, anAttachment, FIXTURE_TIME } from "@budgetkit/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExplainedStore, explainedStore } from "../testing/explained-store.js";
import { testSchema } from "../testing/test-schema.js";

describe("how PostgreSQL answers about attachments", () => {
  const schema = testSchema();
  let explained: ExplainedStore;
  let store: Store;

  beforeAll(async () => {
    await schema.freshStore();
    explained = explainedStore(schema);
    store = explained.store;
    await store.insertBudget(aBudget(), [], null);
    await schema.query(
      `INSERT INTO @attachments (business_id, budget_id, id, created_at, document)
       SELECT 1 + n % 5, 10 + n % 500, n, ${FIXTURE_TIME} + n, '{"size": 1}' FROM generate_series(1, 20000) AS n`,
    );
    await schema.query("ANALYZE @attachments");
  });

  afterAll(() => explained.close());

  const calls: Readonly<Record<string, readonly [call: () => Promise<unknown>, index: string]>> = {
    "a list": [() => store.listAttachments("1", "10", 10, 0), "attachments_pkey"],
    "a look-up": [() => store.findAttachment("1", "10", "500"), "attachments_pkey"],
    "an insertion": [() => store.insertAttachment(anAttachment({ id: "99999" }), 1, 100, []), "budgets_pkey"],
    "a removal": [() => store.removeAttachment("1", "10", "500", 1, []), "attachments_pkey"],
    "the ids of blobs": [() => store.findAttachmentIds(["80", "81"]), "attachments_by_id"],
  };

  for (const [name, [call, index]] of Object.entries(calls)) {
    it(`reads along an index for ${name}`, async () => {
      const plans = await explained.plansOfOne(call);
      expect(plans.join("\n")).toMatch(new RegExp(`Index (Only )?Scan (using|on) ${index}`));
      expect(plans.join("\n")).not.toContain("Seq Scan");
    });
  }
});
