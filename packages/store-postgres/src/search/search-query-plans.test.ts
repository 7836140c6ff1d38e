import { insertBudgetCommit, recordCommit, replaceBudgetCommit, type Store } from "@budgetkit/core/store";
import { aBudget, aBudgetQuery, aCatalogQuery, aCustomer } from "@budgetkit/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notingRows } from "../commit/note-texts.js";
import { type ExplainedStore, explainedStore } from "../testing/explained-store.js";
import { testSchema } from "../testing/test-schema.js";

/** Two businesses with 6,000 customers and 6,000 budgets each. */
const FILL = `
  INSERT INTO @customers (business_id, id, version, name_key, created_at, held, name, search_text, document)
  SELECT 1 + n % 2, n, 1, n, n, '{}', n, 'customer ' || n, json_build_object('id', n::text, 'createdAt', n)
  FROM generate_series(1, 12000) AS n;
  INSERT INTO @budgets (business_id, id, version, revision, status, customer_id, currency, total, total_minor,
    created_at, search_text, document)
  SELECT 1 + n % 2, n, 1, 1, 'APPROVED', 'c', 'USD', n, n, n, 'quote ' || n,
    json_build_object('id', n::text, 'total', n, 'currency', 'USD', 'createdAt', n, 'status', 'APPROVED')
  FROM generate_series(1, 12000) AS n;
`;

const LARGE = /Seq Scan on (?:\w+\.)?(?:budgets|customers|search_blocks)\b/;

async function indexAll(store: Store): Promise<void> {
  while ((await store.indexTexts?.(1_000)) !== 0);
}

describe("how PostgreSQL searches", () => {
  const schema = testSchema();
  let explained: ExplainedStore;

  beforeAll(async () => {
    const store = await schema.freshStore();
    await schema.query(FILL);
    for (const table of ["customers", "budgets"] as const) await schema.query(notingRows(table, `@${table}`));
    await indexAll(store);
    await schema.vacuum("budgets", "customers", "search_blocks", "search_waiting");
    explained = explainedStore(schema);
  });

  afterAll(() => explained.close());

  const searches: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
    budgets: (store) => store.listBudgets("1", aBudgetQuery({ search: "quote 776" })),
    customers: (store) => store.listRecords("customer", "1", aCatalogQuery({ search: "customer 776" })),
  };

  for (const [table, search] of Object.entries(searches)) {
    it(`PostgreSQL searches ${table} for a rare text by blocks of the index and then one by one`, async () => {
      const plans = (await explained.plansOfOne(() => search(explained.store))).join("\n");
      expect(plans).not.toMatch(LARGE);
      for (const index of ["search_blocks_by_term", "search_blocks_open", `${table}_pkey`])
        expect(plans).toContain(index);
    });
  }

  it("PostgreSQL indexes new and changed texts without reading the others", async () => {
    const plans = await explained.plansOf(async (store, turn) => {
      for (let number = 0; number < 40; number += 1) {
        await store.commit(insertBudgetCommit(aBudget({ id: String(100_000 + turn * 40 + number) })));
      }
      await store.commit(recordCommit("customer", aCustomer({ id: `new ${turn}` }), "absent"));
      await store.commit(
        replaceBudgetCommit(aBudget({ id: "776", version: turn + 2, notes: `changed ${turn}` }), turn + 1),
      );
      await store.indexTexts?.(1_000);
    });
    expect(plans.join("\n")).not.toMatch(LARGE);
    expect(plans.join("\n")).toContain("search_blocks_by_term");
  });
});
