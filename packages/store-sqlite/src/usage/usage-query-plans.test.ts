import { insertBudgetCommit, insertKeyCommit, type Store, testDeliveryCommit } from "@budgetkit/core/store";
import { aBudget, aDelivery, anApiKey, aUsageRow, FIXTURE_TIME as NOW } from "@budgetkit/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExplainedStore, explainedStore } from "../testing/explained-store.js";

const AGES = { minute: NOW, hour: NOW, day: NOW, "hour-total": NOW };
const SLICE = { grain: "hour", from: 0, until: NOW } as const;

/** What is asked, and what each of its statements must look like. */
const ASKED: Readonly<Record<string, readonly [ask: (store: Store) => Promise<unknown>, plan: RegExp]>> = {
  "the usage of a key": [
    (store) => store.sumUsage("1", "20", [SLICE]),
    /^SEARCH budgetkit_usage USING PRIMARY KEY \(business_id=\? AND key_id=\? AND grain=\? AND at>\? AND at<\?\)(; USE TEMP B-TREE FOR GROUP BY)?$/,
  ],
  "the usage of a business": [
    (store) => store.sumUsage("1", null, [SLICE]),
    /^SEARCH budgetkit_usage USING PRIMARY KEY \(business_id=\? AND key_id=\? AND grain=\? AND at>\? AND at<\?\)(; USE TEMP B-TREE FOR GROUP BY)?$/,
  ],
  "usage to forget": [
    (store) => store.pruneUsage(AGES, 10),
    /^SEARCH budgetkit_usage USING PRIMARY KEY \(business_id=\?[^;]*; LIST SUBQUERY 2; SEARCH budgetkit_usage USING COVERING INDEX budgetkit_usage_by_age \(grain=\? AND at<\?\)/,
  ],
  "counts of keys": [
    (store) => store.countKeys("1", NOW, NOW + 1),
    /^SEARCH budgetkit_keys USING COVERING INDEX budgetkit_keys_by_status \(business_id=\? AND <expr>=\?( AND <expr>>\? AND <expr><\?)?\)$/,
  ],
  "counts of deliveries": [
    (store) => store.countDeliveries("1", NOW),
    /^SEARCH budgetkit_delivery_(queue USING COVERING INDEX budgetkit_delivery_queue_of_subscriber \(business_id=\?|log USING COVERING INDEX budgetkit_delivery_log_by_creation \(business_id=\? AND created_at>\?)\)$/,
  ],
};

describe("how SQLite goes about statistics", () => {
  let explained: ExplainedStore;

  beforeAll(async () => {
    explained = await explainedStore();
    const { store } = explained;
    await store.addUsage([aUsageRow(), aUsageRow({ keyId: null }), aUsageRow({ grain: "hour" })]);
    await store.commit(insertBudgetCommit(aBudget()));
    await store.commit(insertKeyCommit(anApiKey({ expiresAt: NOW + 1 })));
    await store.commit(testDeliveryCommit(aDelivery()));
  });

  afterAll(() => explained.close());

  it("SQLite sums budgets from the kept sums and the overdue budgets", async () => {
    const [plan, ...others] = await explained.plansOf(() => explained.store.sumBudgets("1", NOW));
    expect(others).toEqual([]);
    expect(plan?.match(/(?:SEARCH|SCAN) budgetkit_\w+ [^;]*/g)).toEqual([
      "SEARCH budgetkit_budget_sums USING PRIMARY KEY (business_id=?)",
      "SEARCH budgetkit_budgets USING INDEX budgetkit_budgets_overdue_of_business (business_id=? AND valid_until<?)",
    ]);
  });

  for (const [name, [ask, plan]] of Object.entries(ASKED)) {
    it(`SQLite reads ${name} along an index, grouping by route at most`, async () => {
      const plans = await explained.plansOf(() => ask(explained.store));
      expect(plans).not.toEqual([]);
      for (const steps of plans) {
        expect(steps).toMatch(plan);
        expect(steps).not.toMatch(/SCAN|TEMP B-TREE FOR ORDER/);
      }
    });
  }
});
