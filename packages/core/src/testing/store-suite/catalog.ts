import assert from "node:assert/strict";
import type { Store } from "../../store.js";
import { aCustomer, aProduct } from "../fixtures.js";
import { allAtOnce, type Suite } from "./suite.js";

interface Summary {
  readonly id: string;
  readonly name: string;
}

/** Customers and products keep the same promises. */
interface Kind {
  readonly name: string;
  make(overrides: Partial<Summary>): Summary;
  save(store: Store, businessId: string, summary: Summary): Promise<void>;
  find(store: Store, businessId: string, ids: readonly string[]): Promise<readonly Summary[]>;
}

const KINDS: readonly Kind[] = [
  {
    name: "customers",
    make: (overrides) => aCustomer(overrides),
    save: (store, businessId, summary) => store.saveCustomer(businessId, aCustomer(summary)),
    find: (store, businessId, ids) => store.findCustomers(businessId, ids),
  },
  {
    name: "products",
    make: (overrides) => aProduct(overrides),
    save: (store, businessId, summary) => store.saveProduct(businessId, aProduct(summary)),
    find: (store, businessId, ids) => store.findProducts(businessId, ids),
  },
];

export function catalogCases({ describe, it }: Suite): void {
  for (const { name, make, save, find } of KINDS) {
    describe(`summaries of ${name}`, () => {
      it("are found by their id", async (store) => {
        await save(store, "1", make({ id: "a" }));
        assert.deepEqual(await find(store, "1", ["a"]), [make({ id: "a" })]);
      });

      it("are found many at once, those that there are", async (store) => {
        for (const id of ["a", "b", "c", "d"]) await save(store, "1", make({ id }));
        assert.deepEqual(idsOf(await find(store, "1", ["d", "x", "a", "c"])), ["a", "c", "d"]);
      });

      it("are none for no ids", async (store) => {
        await save(store, "1", make({ id: "a" }));
        assert.deepEqual(await find(store, "1", []), []);
      });

      it("are found once when an id is asked for twice", async (store) => {
        await save(store, "1", make({ id: "a" }));
        assert.deepEqual(idsOf(await find(store, "1", ["a", "a"])), ["a"]);
      });

      it("take the place of the stored one when saved again", async (store) => {
        await save(store, "1", make({ id: "a", name: "before" }));
        await save(store, "1", make({ id: "a", name: "after" }));
        assert.deepEqual(await find(store, "1", ["a"]), [make({ id: "a", name: "after" })]);
      });

      it("may have the same id in two businesses, each its own", async (store) => {
        await save(store, "1", make({ id: "a", name: "ours" }));
        await save(store, "2", make({ id: "a", name: "theirs" }));
        assert.equal((await find(store, "1", ["a"]))[0]?.name, "ours");
        assert.equal((await find(store, "2", ["a"]))[0]?.name, "theirs");
        assert.deepEqual(await find(store, "3", ["a"]), []);
      });

      it("are told apart by ids that differ in case, zeros or signs", async (store) => {
        const ids = ["7", "007", "7.0", "A-1", "a-1", "a_1", "a:1", "cus.9"];
        for (const id of ids) await save(store, "1", make({ id, name: `named ${id}` }));
        for (const id of ids) assert.deepEqual(await find(store, "1", [id]), [make({ id, name: `named ${id}` })]);
      });

      it("are found 500 at once", async (store) => {
        await allAtOnce(500, (index) => save(store, "1", make({ id: `id-${index}` })));
        const ids = Array.from({ length: 500 }, (_, index) => `id-${index}`);
        assert.equal((await find(store, "1", ids)).length, 500);
      });

      it("are saved once when many save the same one at once", async (store) => {
        await allAtOnce(20, (index) => save(store, "1", make({ id: "a", name: `name ${index}` })));
        assert.equal((await find(store, "1", ["a"])).length, 1);
      });
    });
  }
}

function idsOf(summaries: readonly Summary[]): string[] {
  return summaries.map(({ id }) => id).sort();
}
