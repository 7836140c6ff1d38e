import type { Store } from "@budgetkit/core/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExplainedStore, explainedStore } from "../testing/explained-store.js";
import { testSchema } from "../testing/test-schema.js";

const NOW = 1_000_000;

/** 20,000 mails, messages and checks of two businesses; every thousandth is due. */
const FILL = `
  INSERT INTO @mails (business_id, id, budget_id, created_at, due_at, attempts, document)
  SELECT 1 + n % 2, n, n / 4, n, CASE WHEN n % 1000 = 0 THEN n END, 1, json_build_object('id', n::text)
  FROM generate_series(1, 20000) AS n;
  INSERT INTO @messages (business_id, budget_id, id, created_at, document)
  SELECT 1 + n % 2, n / 4, n, n, json_build_object('id', n::text) FROM generate_series(1, 20000) AS n;
  INSERT INTO @reminder_checks (business_id, budget_id, due_at, claims, document)
  SELECT 1 + n % 2, n, CASE WHEN n % 1000 = 0 THEN n ELSE ${NOW} + n END, 1, json_build_object('id', n::text)
  FROM generate_series(1, 20000) AS n;
`;

const LARGE = /Seq Scan on (?:\w+\.)?(?:mails|messages|reminder_checks)\b/;

describe("how PostgreSQL finds mails", () => {
  const schema = testSchema();
  let explained: ExplainedStore;

  beforeAll(async () => {
    await schema.freshStore();
    await schema.query(FILL);
    await schema.vacuum("mails", "messages", "reminder_checks");
    explained = explainedStore(schema);
  });

  afterAll(() => explained.close());

  const calls: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
    "those that are due": (store) => store.claimMails(NOW, NOW + 1, 5),
    "those of a budget": (store) => store.listMails("1", "776", 10, 0),
    "the messages of a budget": (store) => store.listMessages("1", "776", 10, 0),
    "the checks that are due": (store) => store.claimReminderChecks(NOW, NOW + 1, 5),
  };

  for (const [name, call] of Object.entries(calls)) {
    it(`PostgreSQL plans mails, ${name}, along an index`, async () => {
      const plans = (await explained.plansOfOne(() => call(explained.store))).join("\n");
      expect(plans).not.toMatch(LARGE);
      expect(plans).toMatch(/Index (?:Only )?Scan|Bitmap Index Scan/);
    });
  }
});
