import assert from "node:assert/strict";
import {
  type CatalogPosition,
  type CatalogQuery,
  compareRecordKeys,
  decodeRecordKey,
  foldForSearch,
  recordCommit,
  recordKeyOf,
  type Store,
} from "@budgetkit/core/store";
import { aCatalogQuery, aCustomer, aPackage, aProduct, aVariant } from "../catalog-fixtures.js";
import { FIXTURE_TIME as NOW } from "../fixtures.js";
import { KINDS, type Kind } from "./catalog-kinds.js";
import type { Suite } from "./suite.js";

/** Names in which a list by name may go astray: case, accents, blanks, characters beyond 16 bits. */
const NAMES = ["b", "B", "a", "ñ", "Ñu", "z", "", " a", "🪑", "\uff21", "日本", "10", "9", "a\u0301", "İ"];

export function catalogListCases(suite: Suite): void {
  for (const kind of KINDS) suite.describe(`a list of ${kind.name}`, () => listCases(suite, kind));
  searchCases(suite);
}

function listCases({ it }: Suite, { make, insert, replace, list }: Kind): void {
  const fill = async (store: Store) => {
    for (const [index, name] of NAMES.entries()) {
      await insert(store, { id: `id-${index}`, name, createdAt: NOW + (index % 4) });
    }
  };
  const idsOf = async (store: Store, overrides: Partial<CatalogQuery>) =>
    (await list(store, "1", aCatalogQuery(overrides))).entries.map(({ id }) => id);
  const idsByCursors = async (store: Store, overrides: Partial<CatalogQuery>) => {
    const read: string[] = [];
    let position: CatalogPosition = { kind: "offset", offset: 0 };
    for (;;) {
      const page = await list(store, "1", aCatalogQuery({ ...overrides, limit: 4, position }));
      assert.equal(page.total, NAMES.length);
      read.push(...page.entries.map(({ id }) => id));
      if (page.nextCursor === null) return read;
      const key = decodeRecordKey(page.nextCursor);
      assert.ok(key !== null);
      position = { kind: "after", key };
    }
  };

  it("is ordered by name or creation, ties by the id, and read to its end by cursors", async (store) => {
    await fill(store);
    for (const sort of ["createdAt", "name"] as const) {
      for (const order of ["asc", "desc"] as const) {
        const expected = NAMES.map((name, index) => make({ id: `id-${index}`, name, createdAt: NOW + (index % 4) }))
          .map((record) => recordKeyOf(record, sort))
          .sort((a, b) => compareRecordKeys(a, b) * (order === "asc" ? 1 : -1))
          .map(({ id }) => id);
        assert.deepEqual(await idsOf(store, { sort, order }), expected, `${sort} ${order}`);
        assert.deepEqual(await idsByCursors(store, { sort, order }), expected, `${sort} ${order}`);
      }
    }
  });

  it("leaves out deleted ones unless they are asked for", async (store) => {
    await insert(store, { id: "a" });
    await insert(store, { id: "b" });
    await replace(store, { id: "a", version: 2, deletedAt: NOW }, 1);
    assert.deepEqual(await idsOf(store, {}), ["b"]);
    assert.deepEqual(await idsOf(store, { includeDeleted: true, order: "asc" }), ["a", "b"]);
    assert.equal((await list(store, "1", aCatalogQuery())).total, 1);
  });

  it("counts all that match, on every page and beyond the last", async (store) => {
    await fill(store);
    const at = (offset: number) => list(store, "1", aCatalogQuery({ limit: 4, position: { kind: "offset", offset } }));
    assert.equal((await at(0)).total, NAMES.length);
    assert.deepEqual((await at(12)).entries.length, 3);
    assert.equal((await at(12)).nextCursor, null);
    assert.deepEqual(await at(40), { entries: [], total: NAMES.length, nextCursor: null });
  });

  it("finds text in the name, in any case, wildcards for themselves", async (store) => {
    await insert(store, { id: "a", name: "Ñandú 100%" });
    await insert(store, { id: "b", name: "Table_1" });
    const search = (text: string) => idsOf(store, { search: foldForSearch(text) });
    assert.deepEqual(await search("ñANDÚ"), ["a"]);
    assert.deepEqual(await search("%"), ["a"]);
    assert.deepEqual(await search("_"), ["b"]);
    assert.deepEqual(await search("nothing of the kind"), []);
    await replace(store, { id: "a", version: 2, name: "Rhea" }, 1);
    assert.deepEqual(await search("ñandú"), []);
    assert.deepEqual(await search("rhea"), ["a"]);
  });
}

function searchCases({ describe, it }: Suite): void {
  describe("a search of the catalog", () => {
    it("finds customers by all that identifies them", async (store) => {
      const identity = { email: "Ana@Example.com", phone: "+54 11 4444", dni: "30123456", cuit: "20301234563" };
      await store.commit(
        recordCommit("customer", aCustomer({ id: "a", name: "Ana", ...identity, externalId: "CRM-9" }), "absent"),
      );
      await store.commit(recordCommit("customer", aCustomer({ id: "b", email: null, phone: null }), "absent"));
      for (const search of ["ana", "ana@example", "11 4444", "301234", "20301234563", "crm-9"]) {
        const page = await store.listRecords("customer", "1", aCatalogQuery({ search }));
        assert.deepEqual(
          page.entries.map(({ id }) => id),
          ["a"],
          search,
        );
      }
    });

    it("finds names whose letters differ in case and form only", async (store) => {
      const letters = { cuit: null, email: null };
      for (const [id, name] of ["İstanbul Ltd", "Jose\u0301 Straße", "ΟΔΟΣ"].entries()) {
        await store.commit(recordCommit("customer", aCustomer({ id: String(id), name, ...letters }), "absent"));
        await store.commit(recordCommit("product", aProduct({ id: String(id), name }), "absent"));
        await store.commit(recordCommit("package", aPackage({ id: String(id), name }), "absent"));
      }
      for (const [id, texts] of [["istanbul"], ["JOS\u00c9", "STRASSE"], ["οδο", "οδοσ", "ΟΔΟς"]].entries()) {
        for (const text of texts) {
          const query = aCatalogQuery({ search: foldForSearch(text) });
          for (const kind of ["customer", "product", "package"] as const) {
            const { entries } = await store.listRecords(kind, "1", query);
            assert.deepEqual(
              entries.map(({ id }: { readonly id: string }) => id),
              [String(id)],
              text,
            );
          }
        }
      }
    });

    it("finds products by their own texts and their variants'", async (store) => {
      const variants = [aVariant({ name: "Dark", sku: "OAK-D" })];
      const product = aProduct({ id: "a", name: "Table", sku: "OAK", description: "Of solid oak", variants });
      await store.commit(recordCommit("product", product, "absent"));
      await store.commit(recordCommit("product", aProduct({ id: "b", name: "Chair" }), "absent"));
      for (const search of ["table", "oak-d", "solid", "dark"]) {
        const page = await store.listRecords("product", "1", aCatalogQuery({ search }));
        assert.deepEqual(
          page.entries.map(({ id }) => id),
          ["a"],
          search,
        );
      }
    });
  });
}
