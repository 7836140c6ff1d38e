import { type CatalogQuery, insertForCustomerCommit, recordCommit, type Store } from "@budgetkit/core/store";
import { aBudget, aCatalogQuery, aCustomer, aPackage, aProduct, FIXTURE_TIME } from "@budgetkit/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExplainedStore, explainedStore } from "../testing/explained-store.js";

const BY_CREATION = { kind: "after", key: { value: FIXTURE_TIME + 5, id: "id-5" } } as const;
const BY_NAME = { kind: "after", key: { value: "name 5", id: "id-5" } } as const;

const LISTS = {
  customers: (store: Store, query: CatalogQuery) => store.listRecords("customer", "1", query),
  products: (store: Store, query: CatalogQuery) => store.listRecords("product", "1", query),
  packages: (store: Store, query: CatalogQuery) => store.listRecords("package", "1", query),
} as const;

const PAGES: Readonly<Record<string, readonly [query: Partial<CatalogQuery>, plan: string]>> = {
  "newest first": [{}, "by_creation (business_id=?)"],
  "with deleted ones": [{ includeDeleted: true }, "by_creation (business_id=?)"],
  "by name": [{ sort: "name", order: "asc" }, "by_name (business_id=?)"],
  "behind a cursor": [{ position: BY_CREATION }, "by_creation (business_id=? AND (created_at,id)<(?,?))"],
  "by name, behind a cursor": [
    { sort: "name", order: "asc", position: BY_NAME },
    "by_name (business_id=? AND (name_key,id)>(?,?))",
  ],
};

describe("how SQLite answers of the catalog", () => {
  let explained: ExplainedStore;
  let store: Store;

  beforeAll(async () => {
    explained = await explainedStore();
    store = explained.store;
    for (let index = 0; index < 20; index += 1) {
      const record = { id: `id-${index}`, name: `Oak ${index}`, createdAt: FIXTURE_TIME + index };
      await store.commit(recordCommit("customer", aCustomer({ ...record, cuit: `cuit ${index}` }), "absent"));
      await store.commit(recordCommit("product", aProduct({ ...record, sku: `sku ${index}` }), "absent"));
      await store.commit(recordCommit("package", aPackage(record), "absent"));
    }
  });

  afterAll(() => explained.close());

  for (const [kind, list] of Object.entries(LISTS)) {
    for (const [name, [query, plan]] of Object.entries(PAGES)) {
      it(`SQLite lists ${kind} ${name} along one index, sorting nothing`, async () => {
        const [, page = ""] = await explained.plansOf(() => list(store, aCatalogQuery({ limit: 3, ...query })));
        expect(page).toBe(`SEARCH budgetkit_${kind} USING INDEX budgetkit_${kind}_${plan}`);
      });
    }

    it(`SQLite counts ${kind} from an index alone`, async () => {
      const [count = ""] = await explained.plansOf(() => list(store, aCatalogQuery()));
      expect(count).toBe(`SEARCH budgetkit_${kind} USING COVERING INDEX budgetkit_${kind}_by_creation (business_id=?)`);
    });
  }

  const others: Readonly<Record<string, readonly [call: (on: Store) => Promise<unknown>, plan: string]>> = {
    "a customer": [(on) => on.findRecord("customer", "1", "id-1"), "budgetkit_customers_1 (business_id=? AND id=?)"],
    "the customers of budgets": [(on) => on.findCustomers("1", ["id-1"]), "customers_1 (business_id=? AND id=?)"],
    "the products of budgets": [
      (on) => on.findProductSummaries("1", [{ productId: "id-1", variantId: null }]),
      "SEARCH budgetkit_product_summaries USING PRIMARY KEY (business_id=? AND product_id=? AND variant_id=?)",
    ],
    "the summaries of a product that changes": [
      (on) => on.commit(recordCommit("product", aProduct({ id: "id-3", version: 2, sku: "sku 3" }), 1)),
      "SEARCH budgetkit_product_summaries USING PRIMARY KEY (business_id=? AND product_id=?)",
    ],
    "a cuit that is taken": [
      (on) => on.commit(recordCommit("customer", aCustomer({ id: "new", cuit: "cuit 1" }), "absent")),
      "budgetkit_customers_by_cuit (business_id=? AND cuit=?)",
    ],
    "the customer with an email": [
      (on) => on.findCustomerByEmail("1", "a@example.org"),
      "budgetkit_customers_by_email (business_id=? AND <expr>=?)",
    ],
    "an email that is free": [
      (on) =>
        on.commit(
          insertForCustomerCommit(
            { customer: aCustomer({ id: "with-budget", cuit: null, email: "x@example.org" }), sharesEmail: false },
            aBudget({ id: "9000" }),
          ),
        ),
      "budgetkit_customers_by_email (business_id=? AND <expr>=?)",
    ],
    "a sku that is taken": [
      (on) => on.commit(recordCommit("product", aProduct({ id: "new", sku: "sku 1" }), "absent")),
      "SEARCH budgetkit_skus USING PRIMARY KEY (business_id=? AND sku=?)",
    ],
    "the skus of a product that changes": [
      (on) => on.commit(recordCommit("product", aProduct({ id: "id-2", version: 2, sku: "other" }), 1)),
      "budgetkit_skus_of_product (business_id=? AND product_id=?)",
    ],
  };

  for (const [name, [call, plan]] of Object.entries(others)) {
    it(`SQLite plans ${name} along an index`, async () => {
      const plans = await explained.plansOf(() => call(store));
      expect(
        plans.filter((steps) => steps.endsWith(plan)),
        plans.join("\n"),
      ).not.toEqual([]);
      for (const steps of plans) expect(steps).not.toMatch(/SCAN|TEMP B-TREE/);
    });
  }
});
