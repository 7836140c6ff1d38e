import { insertBudgetCommit, recordCommit, type Store } from "@budgetkit/core/store";
import { aBudget, aProduct } from "@budgetkit/testing";
import { expect, it, onTestFinished } from "vitest";
import { explainedStore } from "../testing/explained-store.js";
import { testSchema } from "../testing/test-schema.js";

const SERIES = { key: "P-{seq}", before: "P-", after: "", digits: 1 };

/** What looks for some of the values of a business, and the index that it has to use for each value. */
const LOOKED_FOR: Readonly<Record<string, readonly [ask: (store: Store, turn: number) => Promise<unknown>, RegExp]>> = {
  "the numbers of new budgets": [
    (store, turn) => {
      const blank = "{blank 1}";
      const budget = aBudget({ id: String(100 + turn), number: blank });
      return store.commit(insertBudgetCommit(budget, { numbering: { kind: "draw", series: SERIES, blank } }));
    },
    /using budget_numbers_pkey[^\n]*\n\s*Index Cond: \([^\n]*\bnumber = /,
  ],
  "the SKUs of a product": [
    async (store, turn) => {
      const product = aProduct({ id: `sku-${turn}`, sku: `A-${turn}` });
      await store.commit(recordCommit("product", product, "absent"));
      return store.commit(recordCommit("product", { ...product, version: 2, sku: `B-${turn}` }, 1));
    },
    /using held_values_pkey[^\n]*\n\s*Index Cond: \([^\n]*\bvalue = /,
  ],
};

const schema = testSchema();

/** PostgreSQL before 17 reads all values of the business, if it is asked for a list of them. */
it.each(Object.entries(LOOKED_FOR))(
  "PostgreSQL looks for %s one by one, though none was there",
  async (_, [ask, index]) => {
    await (await schema.freshStore()).close();
    await schema.vacuum("budget_numbers", "held_values");
    const explained = explainedStore(schema);
    onTestFinished(() => explained.close());
    const plans = (await explained.plansOf(ask)).join("\n");
    expect(plans).toMatch(index);
    expect(plans).not.toMatch(/Filter: \((?:number|value) = ANY/);
  },
);
