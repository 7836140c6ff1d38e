import assert from "node:assert/strict";
import type { RecordInsertOutcome, RecordReplaceOutcome, Store } from "@budgetkit/core/store";
import { aCustomer, aProduct, aVariant } from "../catalog-fixtures.js";
import { FIXTURE_TIME as NOW } from "../fixtures.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";

type State = { readonly version?: number; readonly deletedAt?: number | null; readonly businessId?: string };

/** What a business has once among its records, whichever way it is written. */
interface Unique {
  readonly name: string;
  readonly taken: "cuit" | "sku";
  insert(store: Store, id: string, value: string | null, state?: State): Promise<RecordInsertOutcome>;
  replace(store: Store, id: string, value: string | null, state: State): Promise<RecordReplaceOutcome>;
}

const UNIQUE: readonly Unique[] = [
  {
    name: "the cuit of a customer",
    taken: "cuit",
    insert: (store, id, cuit, state) => store.insertCustomer(aCustomer({ ...state, id, cuit }), [], null),
    replace: (store, id, cuit, state) =>
      store.replaceCustomer(aCustomer({ ...state, id, cuit }), (state.version ?? 1) - 1, [], null),
  },
  {
    name: "the sku of a product",
    taken: "sku",
    insert: (store, id, sku, state) => store.insertProduct(aProduct({ ...state, id, sku }), [], null),
    replace: (store, id, sku, state) =>
      store.replaceProduct(aProduct({ ...state, id, sku }), (state.version ?? 1) - 1, [], null),
  },
  {
    name: "the sku of a variant",
    taken: "sku",
    insert: (store, id, sku, state) =>
      store.insertProduct(aProduct({ ...state, id, variants: [aVariant({ sku })] }), [], null),
    replace: (store, id, sku, state) => {
      const product = aProduct({ ...state, id, variants: [aVariant({ id: "v-0" }), aVariant({ sku })] });
      return store.replaceProduct(product, (state.version ?? 1) - 1, [], null);
    },
  },
];

export function catalogUniquenessCases(suite: Suite): void {
  for (const unique of UNIQUE) suite.describe(unique.name, () => uniquenessCases(suite, unique));

  suite.describe("skus", () => {
    suite.it("products and variants share one set of skus", async (store) => {
      await store.insertProduct(aProduct({ id: "a", sku: "A", variants: [aVariant({ sku: "A-1" })] }), [], null);
      const ofVariant = aProduct({ id: "b", variants: [aVariant({ sku: "A" })] });
      assert.deepEqual(await store.insertProduct(ofVariant, [], null), { taken: "sku", value: "A" });
      const ofProduct = aProduct({ id: "b", sku: "A-1" });
      assert.deepEqual(await store.insertProduct(ofProduct, [], null), { taken: "sku", value: "A-1" });
    });

    suite.it("a sku may move within a product", async (store) => {
      await store.insertProduct(aProduct({ sku: "A", variants: [aVariant({ sku: "A-1" })] }), [], null);
      const moved = aProduct({ version: 2, sku: "A-1", variants: [aVariant({ sku: "A" })] });
      assert.equal(await store.replaceProduct(moved, 1, [], null), "written");
      assert.deepEqual(await store.findProducts("1", ["700"]), [moved]);
    });
  });
}

function uniquenessCases({ it }: Suite, { taken, insert, replace }: Unique): void {
  it("gives a unique value to one of 20 that are added concurrently", async (store) => {
    const outcomes = await allAtOnce(20, (index) => insert(store, `id-${index}`, "X"));
    assert.equal(countOf(outcomes, "written"), 1);
    for (const outcome of outcomes) {
      if (outcome !== "written") assert.deepEqual(outcome, { taken, value: "X" });
    }
  });

  it("gives a unique value to one of 20 that change to it concurrently", async (store) => {
    await allAtOnce(20, (index) => insert(store, `id-${index}`, null));
    const outcomes = await allAtOnce(20, (index) => replace(store, `id-${index}`, "X", { version: 2 }));
    assert.equal(countOf(outcomes, "written"), 1);
    assert.equal(outcomes.filter((outcome) => typeof outcome === "object" && outcome.value === "X").length, 19);
  });

  it("allows a unique value to be absent in many, and the same in two businesses", async (store) => {
    for (const id of ["a", "b"]) assert.equal(await insert(store, id, null), "written");
    assert.equal(await insert(store, "c", "X"), "written");
    assert.equal(await insert(store, "c", "X", { businessId: "2" }), "written");
  });

  it("distinguishes a unique value by case, zeros and blanks", async (store) => {
    for (const [index, value] of ["x", "X", "X ", "0x", "00x"].entries()) {
      assert.equal(await insert(store, `id-${index}`, value), "written");
    }
  });

  it("a record that is replaced keeps a unique value", async (store) => {
    await insert(store, "a", "X");
    assert.equal(await replace(store, "a", "X", { version: 2 }), "written");
    assert.deepEqual(await insert(store, "b", "X"), { taken, value: "X" });
  });

  it("frees a unique value when it is given up, and a refused change changes nothing", async (store) => {
    await insert(store, "a", "X");
    await insert(store, "b", null);
    assert.deepEqual(await replace(store, "b", "X", { version: 2 }), { taken, value: "X" });
    assert.equal(await replace(store, "a", "Y", { version: 2 }), "written");
    assert.equal(await replace(store, "b", "X", { version: 2 }), "written");
    assert.deepEqual(await replace(store, "a", "X", { version: 3 }), { taken, value: "X" });
  });

  it("frees a unique value when the record is deleted, and then refuses its return", async (store) => {
    await insert(store, "a", "X");
    await replace(store, "a", "X", { version: 2, deletedAt: NOW });
    assert.equal(await insert(store, "b", "X"), "written");
    assert.deepEqual(await replace(store, "a", "X", { version: 3, deletedAt: null }), { taken, value: "X" });
    await replace(store, "b", "X", { version: 2, deletedAt: NOW });
    assert.equal(await replace(store, "a", "X", { version: 3, deletedAt: null }), "written");
  });
}
