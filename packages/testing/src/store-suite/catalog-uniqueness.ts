import assert from "node:assert/strict";
import type { Store } from "@budgetkit/core/store";
import { recordCommit } from "@budgetkit/core/store";
import { aCustomer, aProduct, aVariant } from "../catalog-fixtures.js";
import { FIXTURE_TIME as NOW } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";

type State = { readonly version?: number; readonly deletedAt?: number | null; readonly businessId?: string };

/** What a business has once among its records, whichever way it is written. */
interface Unique {
  readonly name: string;
  readonly taken: "cuit" | "sku";
  insert(store: Store, id: string, value: string | null, state?: State): ReturnType<typeof outcomeOf>;
  replace(store: Store, id: string, value: string | null, state: State): ReturnType<typeof outcomeOf>;
}

const UNIQUE: readonly Unique[] = [
  {
    name: "the cuit of a customer",
    taken: "cuit",
    insert: (store, id, cuit, state) =>
      outcomeOf(store, recordCommit("customer", aCustomer({ ...state, id, cuit }), "absent")),
    replace: (store, id, cuit, state) =>
      outcomeOf(store, recordCommit("customer", aCustomer({ ...state, id, cuit }), (state.version ?? 1) - 1)),
  },
  {
    name: "the sku of a product",
    taken: "sku",
    insert: (store, id, sku, state) =>
      outcomeOf(store, recordCommit("product", aProduct({ ...state, id, sku }), "absent")),
    replace: (store, id, sku, state) =>
      outcomeOf(store, recordCommit("product", aProduct({ ...state, id, sku }), (state.version ?? 1) - 1)),
  },
  {
    name: "the sku of a variant",
    taken: "sku",
    insert: (store, id, sku, state) =>
      outcomeOf(store, recordCommit("product", aProduct({ ...state, id, variants: [aVariant({ sku })] }), "absent")),
    replace: (store, id, sku, state) => {
      const product = aProduct({ ...state, id, variants: [aVariant({ id: "v-0" }), aVariant({ sku })] });
      return outcomeOf(store, recordCommit("product", product, (state.version ?? 1) - 1));
    },
  },
];

export function catalogUniquenessCases(suite: Suite): void {
  for (const unique of UNIQUE) suite.describe(unique.name, () => uniquenessCases(suite, unique));

  suite.describe("skus", () => {
    suite.it("are one set for products and variants", async (store) => {
      await store.commit(
        recordCommit("product", aProduct({ id: "a", sku: "A", variants: [aVariant({ sku: "A-1" })] }), "absent"),
      );
      const ofVariant = aProduct({ id: "b", variants: [aVariant({ sku: "A" })] });
      assert.deepEqual(await outcomeOf(store, recordCommit("product", ofVariant, "absent")), {
        taken: "sku",
        value: "A",
      });
      const ofProduct = aProduct({ id: "b", sku: "A-1" });
      assert.deepEqual(await outcomeOf(store, recordCommit("product", ofProduct, "absent")), {
        taken: "sku",
        value: "A-1",
      });
    });

    suite.it("may move within a product", async (store) => {
      await store.commit(
        recordCommit("product", aProduct({ sku: "A", variants: [aVariant({ sku: "A-1" })] }), "absent"),
      );
      const moved = aProduct({ version: 2, sku: "A-1", variants: [aVariant({ sku: "A" })] });
      assert.equal(await outcomeOf(store, recordCommit("product", moved, 1)), "written");
      assert.deepEqual(await store.findRecords("product", "1", ["700"]), [moved]);
    });
  });
}

function uniquenessCases({ it }: Suite, { taken, insert, replace }: Unique): void {
  it("is given to one of 20 that bring it at once", async (store) => {
    const outcomes = await allAtOnce(20, (index) => insert(store, `id-${index}`, "X"));
    assert.equal(countOf(outcomes, "written"), 1);
    for (const outcome of outcomes) {
      if (outcome !== "written") assert.deepEqual(outcome, { taken, value: "X" });
    }
  });

  it("is given to one of 20 that change to it at once", async (store) => {
    await allAtOnce(20, (index) => insert(store, `id-${index}`, null));
    const outcomes = await allAtOnce(20, (index) => replace(store, `id-${index}`, "X", { version: 2 }));
    assert.equal(countOf(outcomes, "written"), 1);
    assert.equal(countOf(outcomes, { taken, value: "X" }), 19);
  });

  it("may be absent from many, and the same in two businesses", async (store) => {
    for (const id of ["a", "b"]) assert.equal(await insert(store, id, null), "written");
    assert.equal(await insert(store, "c", "X"), "written");
    assert.equal(await insert(store, "c", "X", { businessId: "2" }), "written");
  });

  it("differs by case, zeros and blanks", async (store) => {
    for (const [index, value] of ["x", "X", "X ", "0x", "00x"].entries()) {
      assert.equal(await insert(store, `id-${index}`, value), "written");
    }
  });

  it("stays with a record that keeps it", async (store) => {
    await insert(store, "a", "X");
    assert.equal(await replace(store, "a", "X", { version: 2 }), "written");
    assert.deepEqual(await insert(store, "b", "X"), { taken, value: "X" });
  });

  it("is free when it is given up, and what is refused changes nothing", async (store) => {
    await insert(store, "a", "X");
    await insert(store, "b", null);
    assert.deepEqual(await replace(store, "b", "X", { version: 2 }), { taken, value: "X" });
    assert.equal(await replace(store, "a", "Y", { version: 2 }), "written");
    assert.equal(await replace(store, "b", "X", { version: 2 }), "written");
    assert.deepEqual(await replace(store, "a", "X", { version: 3 }), { taken, value: "X" });
  });

  it("is free for others once the record is deleted, and then stands in the way of its return", async (store) => {
    await insert(store, "a", "X");
    await replace(store, "a", "X", { version: 2, deletedAt: NOW });
    assert.equal(await insert(store, "b", "X"), "written");
    assert.deepEqual(await replace(store, "a", "X", { version: 3, deletedAt: null }), { taken, value: "X" });
    await replace(store, "b", "X", { version: 2, deletedAt: NOW });
    assert.equal(await replace(store, "a", "X", { version: 3, deletedAt: null }), "written");
  });
}
