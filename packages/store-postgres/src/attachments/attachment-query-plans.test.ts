import {
  countViewCommit,
  insertAttachmentCommit,
  insertBudgetCommit,
  removeAttachmentCommit,
  replaceAttachmentCommit,
  type Store,
} from "@budgetkit/core/store";
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
    await store.commit(insertBudgetCommit(aBudget()));
    await schema.query(
      `INSERT INTO @attachments (business_id, budget_id, id, created_at, document)
       SELECT 1 + n % 5, 10 + n % 500, n, ${FIXTURE_TIME} + n, '{"size": 1}' FROM generate_series(1, 20000) AS n`,
    );
    await schema.query(
      `INSERT INTO @link_views SELECT 1 + n % 5, n, 'link', 1, 1, 1 FROM generate_series(1, 20000) AS n`,
    );
    await schema.query(
      `INSERT INTO @businesses (id, name, tier, time_zone, created_at, profile)
       SELECT n, 'a', 'STANDARD', 'UTC', 1, CASE WHEN n % 2 = 0 THEN '{}' ELSE '{"logo": {"blobId": "' || n || '"}}' END
       FROM generate_series(1, 20000) AS n`,
    );
    await schema.query("ANALYZE @attachments, @link_views, @businesses");
  });

  afterAll(() => explained.close());

  const calls: Readonly<Record<string, readonly [call: () => Promise<unknown>, index: string]>> = {
    "a list": [() => store.listAttachments("1", "10", 10, 0), "attachments_pkey"],
    "a look-up": [() => store.findAttachment("1", "10", "500"), "attachments_pkey"],
    "an insertion": [() => store.commit(insertAttachmentCommit(anAttachment({ id: "99999" }), 1, 100)), "budgets_pkey"],
    "a replacement": [() => store.commit(replaceAttachmentCommit(anAttachment({ id: "500" }), 1)), "attachments_pkey"],
    "a removal": [
      () => store.commit(removeAttachmentCommit({ businessId: "1", budgetId: "10", id: "500" }, 1)),
      "attachments_pkey",
    ],
    "the ids of blobs": [() => store.findAttachmentIds(["80", "81"]), "attachments_by_id"],
    "the ids of logos": [() => store.findAttachmentIds(["80", "81"]), "businesses_by_logo"],
    "a view": [
      () =>
        store.commit(
          countViewCommit(
            { businessId: "1", budgetId: "10", channel: "link", device: "phone", at: FIXTURE_TIME },
            1,
            true,
          ),
        ),
      "link_views_pkey",
    ],
    "the views of a budget": [() => store.listLinkViews("1", "500"), "link_views_pkey"],
  };

  for (const [name, [call, index]] of Object.entries(calls)) {
    it(`PostgreSQL reads attachments along an index for ${name}`, async () => {
      const plans = await explained.plansOfOne(call);
      expect(plans.join("\n")).toMatch(new RegExp(`Index (Only )?Scan (using|on) ${index}`));
      expect(plans.join("\n")).not.toContain("Seq Scan");
    });
  }
});
