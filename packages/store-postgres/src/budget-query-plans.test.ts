import type { Store } from "@budgetkit/core/store";
import { aBudget, aBudgetQuery, aClaim, anEventQuery, FIXTURE_TIME as NOW } from "@budgetkit/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExplainedStore, explainedStore } from "./testing/explained-store.js";
import { testSchema } from "./testing/test-schema.js";

const BUDGETS = 20_000;

const READS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  "all budgets": (store) => store.listBudgets("1", aBudgetQuery({ limit: 10 })),
  "budgets of one status": (store) => store.listBudgets("1", aBudgetQuery({ limit: 10, status: "PENDING" })),
  "budgets of one customer": (store) => store.listBudgets("1", aBudgetQuery({ limit: 10, customerId: "c7" })),
  "a budget": (store) => store.findBudget("1", "777"),
  "a budget by its public link": (store) => store.findBudgetByPublicToken("token-777"),
  "overdue budgets of a business": (store) => store.findOverdueBudgets("1", 1, 10),
  "overdue budgets": (store) => store.findAllOverdueBudgets(1, 10),
  "events of a subject": (store) => store.listEvents("1", anEventQuery({ subjectId: "777", limit: 10 })),
};

const WRITES: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  "a new budget": (store) => store.insertBudget(aBudget({ id: "900001" }), [], null),
  "a change of a budget": (store) =>
    store.replaceBudget(aBudget({ id: "900001", version: 2, revision: 2 }), 1, [], null),
  "an idempotency key": (store) => store.claimKey(aClaim(), NOW),
};

describe("with many budgets, PostgreSQL goes along an index", () => {
  const schema = testSchema();
  let explained: ExplainedStore;

  beforeAll(async () => {
    await (await schema.freshStore()).close();
    await schema.query(
      `INSERT INTO @budgets (business_id, id, version, revision, status, customer_id, currency, total, total_minor,
         created_at, valid_until, public_token_hash, search_text, document)
       SELECT 1 + n % 2, n, 1, 1, CASE n % 3 WHEN 0 THEN 'PENDING' ELSE 'APPROVED' END, 'c' || n % 500, 'USD', n, n, n,
         1000 + n, 'token-' || n, '', json_build_object('id', n::text, 'total', n, 'currency', 'USD', 'createdAt', n, 'status', 'PENDING')
       FROM generate_series(1, ${BUDGETS}) AS n`,
    );
    await schema.query(
      `INSERT INTO @events (business_id, sequence, id, type, occurred_at, subject_id, document)
       SELECT 1, n, n::text, 'budget.created', n, n::text, '{}' FROM generate_series(1, ${BUDGETS}) AS n`,
    );
    await schema.query("ANALYZE @budgets");
    await schema.query("ANALYZE @events");
    explained = explainedStore(schema);
  });

  afterAll(() => explained.close());

  it.each([...Object.entries(READS), ...Object.entries(WRITES)])("for %s", async (_name, ask) => {
    const plans = (await explained.plansOfOne(() => ask(explained.store))).join("\n");
    expect(plans).toMatch(/Index (?:Only )?Scan/);
    expect(plans).not.toMatch(/Seq Scan on (?:\w+\.)?(?:budgets|events|claims|budget_revisions)/);
  });
});
