import assert from "node:assert/strict";
import { FIXTURE_TIME as NOW } from "../fixtures.js";
import { KINDS, type Kind } from "./catalog-kinds.js";
import { allAtOnce, type Suite } from "./suite.js";

export function catalogCases(suite: Suite): void {
  for (const kind of KINDS) {
    suite.describe(`${kind.name} of the catalog`, () => {
      findCases(suite, kind);
      writeCases(suite, kind);
    });
  }
}

function findCases({ it }: Suite, { insert, find, findMany }: Kind): void {
  it("finds many catalog records at once, those that exist", async (store) => {
    for (const id of ["a", "b", "c", "d"]) await insert(store, { id });
    assert.deepEqual(idsOf(await findMany(store, "1", ["d", "x", "a", "c"])), ["a", "c", "d"]);
  });

  it("finds no catalog records for no ids", async (store) => {
    await insert(store, { id: "a" });
    assert.deepEqual(await findMany(store, "1", []), []);
  });

  it("finds catalog records once when an id is requested twice", async (store) => {
    await insert(store, { id: "a" });
    assert.deepEqual(idsOf(await findMany(store, "1", ["a", "a"])), ["a"]);
  });

  it("finds deleted catalog records as well", async (store) => {
    await insert(store, { id: "a" });
    assert.equal(await insert(store, { id: "b", deletedAt: NOW }), "written");
    assert.deepEqual(idsOf(await findMany(store, "1", ["a", "b"])), ["a", "b"]);
    assert.equal((await find(store, "1", "b"))?.deletedAt, NOW);
  });

  it("distinguishes catalog records whose ids differ in case, zeros or signs", async (store) => {
    const ids = ["7", "007", "7.0", "A-1", "a-1", "a_1", "a:1", "cus.9"];
    for (const id of ids) assert.equal(await insert(store, { id, name: `named ${id}` }), "written");
    for (const id of ids) assert.equal((await find(store, "1", id))?.name, `named ${id}`);
  });

  it("finds 500 catalog records at once", async (store) => {
    await allAtOnce(500, (index) => insert(store, { id: `id-${index}` }));
    const ids = Array.from({ length: 500 }, (_, index) => `id-${index}`);
    assert.equal((await findMany(store, "1", ids)).length, 500);
  });
}

function writeCases({ it }: Suite, { insert }: Kind): void {
  it("deleted catalog records keep their id", async (store) => {
    await insert(store, { id: "a", deletedAt: NOW });
    assert.deepEqual(await insert(store, { id: "a" }), { taken: "id", value: "a" });
  });
}

function idsOf(records: readonly { readonly id: string }[]): string[] {
  return records.map(({ id }) => id).sort();
}
