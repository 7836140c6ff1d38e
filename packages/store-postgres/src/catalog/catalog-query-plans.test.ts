import { type CatalogQuery, insertForCustomerCommit, recordCommit, type Store } from "@budgetkit/core/store";
import { aBudget, aCatalogQuery, aCustomer, aPackage, aProduct, FIXTURE_TIME } from "@budgetkit/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExplainedStore, explainedStore } from "../testing/explained-store.js";
import { type TestSchema, testSchema } from "../testing/test-schema.js";

const BY_CREATION = { kind: "after", key: { value: FIXTURE_TIME + 10_000, id: "id-5" } } as const;
const BY_NAME = { kind: "after", key: { value: "oak 5", id: "id-5" } } as const;

const LISTS = {
  customers: (store: Store, query: CatalogQuery) => store.listRecords("customer", "1", query),
  products: (store: Store, query: CatalogQuery) => store.listRecords("product", "1", query),
  packages: (store: Store, query: CatalogQuery) => store.listRecords("package", "1", query),
} as const;

const PAGES: Readonly<Record<string, readonly [query: Partial<CatalogQuery>, index: string, condition: string]>> = {
  "newest first": [{}, "by_creation", "business_id = '1'"],
  "with deleted ones": [{ includeDeleted: true }, "by_creation", "business_id = '1'"],
  "by name": [{ sort: "name", order: "asc" }, "by_name", "business_id = '1'"],
  searched: [{ search: "oak" }, "by_creation", "business_id = '1'"],
  "behind a cursor": [{ position: BY_CREATION }, "by_creation", "ROW(created_at, id) <"],
  "by name, behind a cursor": [{ sort: "name", order: "asc", position: BY_NAME }, "by_name", "ROW(name_key, id) >"],
};

describe("how PostgreSQL answers of the catalog", () => {
  const schema = testSchema();
  let explained: ExplainedStore;
  let store: Store;

  beforeAll(async () => {
    await schema.freshStore();
    explained = explainedStore(schema);
    store = explained.store;
    await fill(schema);
    await schema.query("ANALYZE @customers, @products, @packages, @held_values, @product_summaries");
  });

  afterAll(() => explained.close());

  for (const [kind, list] of Object.entries(LISTS)) {
    for (const [name, [query, index, condition]] of Object.entries(PAGES)) {
      it(`PostgreSQL lists ${kind} ${name} along one index, sorting nothing`, async () => {
        const [plan = ""] = await explained.plansOfOne(() => list(store, aCatalogQuery({ limit: 3, ...query })));
        // A search begins with a sample of the list, whose statement has no count before the page.
        const page = query.search === undefined ? plan.slice(plan.indexOf("Subquery Scan")) : plan;
        expect(page).toMatch(new RegExp(`Index Scan (Backward )?using ${kind}_${index} on ${kind}`));
        expect(page).toContain(condition);
        expect(page).not.toMatch(/Sort|Seq Scan/);
      });
    }

    it(`PostgreSQL counts ${kind} from the rows of the business alone`, async () => {
      const [plan = ""] = await explained.plansOfOne(() => list(store, aCatalogQuery()));
      const count = plan.slice(plan.indexOf("Aggregate"), plan.indexOf("Subquery Scan"));
      expect(count).toMatch(/Index Cond: \(+business_id = '1'::bigint\)/); // either index, as the statistics have it
      expect(count).not.toContain("Seq Scan");
    });
  }

  const others: Readonly<Record<string, readonly [call: () => Promise<unknown>, index: string]>> = {
    "a customer": [() => store.findRecord("customer", "1", "id-20"), "customers_pkey"],
    "the products that a catalog knows": [() => store.findRecords("product", "1", ["id-20", "id-40"]), "products_pkey"],
    "the customers of budgets": [() => store.findCustomers("1", ["id-20", "id-40"]), "customers_pkey"],
    "a cuit that is taken": [
      () => store.commit(recordCommit("customer", aCustomer({ id: "new", cuit: "cuit 20" }), "absent")),
      "held_values_pkey",
    ],
    "the customer with an email": [() => store.findCustomerByEmail("1", "a@example.org"), "customers_by_email"],
    "an email that is free": [
      () =>
        store.commit(
          insertForCustomerCommit(
            { customer: aCustomer({ id: "with-budget", cuit: null, email: "x@example.org" }), sharesEmail: false },
            aBudget({ id: "9000" }),
          ),
        ),
      "customers_by_email",
    ],
    "a sku that is taken": [
      () => store.commit(recordCommit("product", aProduct({ id: "new", sku: "sku 20" }), "absent")),
      "held_values_pkey",
    ],
    "a product that lets go of its skus": [
      () => store.commit(recordCommit("product", aProduct({ id: "id-40", version: 2, sku: "other" }), 1)),
      "held_values_pkey",
    ],
    "the summaries of a product that changes": [
      () => store.commit(recordCommit("product", aProduct({ id: "id-60", version: 2 }), 1)),
      "product_summaries_pkey",
    ],
    "what budgets show of products": [
      () => store.findProductSummaries("1", [{ productId: "id-20", variantId: "v-1" }]),
      "product_summaries_pkey",
    ],
    "packages that budgets name": [() => store.findRecords("package", "1", ["id-20", "id-40"]), "packages_pkey"],
  };

  for (const [name, [call, index]] of Object.entries(others)) {
    it(`PostgreSQL plans ${name} along an index`, async () => {
      const plans = await explained.plansOfOne(call);
      expect(plans.join("\n")).toMatch(new RegExp(`Index (Only )?Scan (Backward )?using ${index}`));
      expect(plans.join("\n")).not.toContain("Seq Scan");
    });
  }
});

describe("plans that PostgreSQL made while the catalog was small", () => {
  const schema = testSchema();
  let explained: ExplainedStore;

  afterAll(() => explained.close());

  it("plans made while the catalog was small still serve writes when it has grown", async () => {
    await schema.freshStore();
    explained = explainedStore(schema);
    const { store } = explained;
    let last = 0;
    const write = async () => {
      last += 1;
      const names = { id: `new-${last}`, sku: `new ${last}`, cuit: `new ${last}` };
      await store.commit(recordCommit("customer", aCustomer(names), "absent"));
      await store.commit(recordCommit("customer", aCustomer({ ...names, cuit: `newer ${last}`, version: 2 }), 1));
      await store.commit(recordCommit("product", aProduct(names), "absent"));
      await store.commit(recordCommit("product", aProduct({ ...names, sku: `newer ${last}`, version: 2 }), 1));
      await store.commit(recordCommit("package", aPackage(names), "absent"));
      await store.commit(recordCommit("package", aPackage({ ...names, version: 2 }), 1));
    };
    for (let times = 0; times < 10; times += 1) await write();
    await schema.query("ANALYZE @customers, @products, @packages, @held_values, @product_summaries, @batches");
    for (let times = 0; times < 10; times += 1) await write();
    await fill(schema);
    const plans = await explained.plansOfOne(write);
    expect(plans.length).toBeGreaterThan(6);
    expect(plans.join("\n")).not.toContain("Seq Scan");
  });
});

/** 1,000 records of each kind in each of 20 businesses. */
async function fill({ query }: TestSchema): Promise<void> {
  const columns = "business_id, id, version, name_key, created_at, deleted_at, search_text, document, held";
  const values = `1 + n % 20, 'id-' || n, 1, 'oak ' || n, ${FIXTURE_TIME} + n, CASE WHEN n % 100 = 3 THEN 1 END, 'oak ' || n,
    json_build_object('id', 'id-' || n, 'name', 'Oak ' || n, 'createdAt', ${FIXTURE_TIME} + n)`;
  const rows = "FROM generate_series(1, 20000) AS n";
  const customers = `${values}, ARRAY['cuit ' || n], 'Oak ' || n, 'oak-' || n || '@example.org'`;
  await query(`INSERT INTO @customers (${columns}, name, email) SELECT ${customers} ${rows}`);
  await query(`INSERT INTO @products (${columns}) SELECT ${values}, ARRAY['sku ' || n] ${rows}`);
  await query(`INSERT INTO @packages (${columns}) SELECT ${values}, '{}' ${rows}`);
  await query(
    `INSERT INTO @product_summaries (business_id, product_id, variant_id, name, currency)
     SELECT 1 + n % 20, 'id-' || n, CASE variant WHEN 0 THEN '' ELSE 'v-' || variant END, 'Oak', 'USD'
     ${rows}, generate_series(0, 2) AS variant`,
  );
  await query(`INSERT INTO @held_values (business_id, field, value) SELECT 1 + n % 20, 'cuit', 'cuit ' || n ${rows}`);
  await query(`INSERT INTO @held_values (business_id, field, value) SELECT 1 + n % 20, 'sku', 'sku ' || n ${rows}`);
}
