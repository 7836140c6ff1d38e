import assert from "node:assert/strict";
import {
  type Product,
  type ProductName,
  type ProductSummary,
  recordCommit,
  type Store,
  summariesOf,
} from "@budgetkit/core/store";
import { aProduct, aVariant } from "../catalog-fixtures.js";
import { FIXTURE_TIME } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import type { Suite } from "./suite.js";

const ITSELF: ProductName = { productId: "700", variantId: null };
const DARK: ProductName = { productId: "700", variantId: "v-1" };

export function productSummaryCases({ describe, it }: Suite): void {
  describe("what is found of named products", () => {
    it("is the product, or its variant where one is named", async (store) => {
      const product = aProduct({ sku: "OAK", variants: [aVariant({ unitPrice: 500.25 }), aVariant({ id: "v-2" })] });
      await store.commit(recordCommit("product", product, "absent"));
      const [own, dark] = summariesOf(product);
      assert.deepEqual(await found(store, [DARK, ITSELF]), [own, dark]);
      assert.deepEqual(await found(store, [ITSELF]), [own]);
    });

    it("is the product where it has no such variant, and nothing where there is no such product", async (store) => {
      const product = aProduct({ variants: [aVariant()] });
      await store.commit(recordCommit("product", product, "absent"));
      const gone = { productId: "700", variantId: "gone" };
      const unknown = { productId: "701", variantId: "v-1" };
      assert.deepEqual(await found(store, [gone, unknown]), [summariesOf(product)[0]]);
      assert.deepEqual(await found(store, []), []);
    });

    it("follows every change, the variants' too", async (store) => {
      await store.commit(
        recordCommit("product", aProduct({ variants: [aVariant(), aVariant({ id: "v-2" })] }), "absent"),
      );
      const kept = aVariant({ id: "v-2", name: "Oak table, light", sku: "LIGHT" });
      const changes: readonly Partial<Product>[] = [
        { name: "Ash table", currency: "ARS", unitPrice: null, variants: [kept] },
        { deletedAt: FIXTURE_TIME + 1, variants: [kept] },
      ];
      for (const [index, change] of changes.entries()) {
        const next = aProduct({ version: index + 2, ...change });
        assert.equal(await outcomeOf(store, recordCommit("product", next, index + 1)), "written");
        const [own, light] = summariesOf(next);
        assert.deepEqual(await found(store, [ITSELF, { ...ITSELF, variantId: "v-2" }]), [own, light]);
        assert.deepEqual(await found(store, [DARK]), [own]);
      }
    });

    it("is not touched by a change that was refused", async (store) => {
      const product = aProduct({ variants: [aVariant()] });
      await store.commit(recordCommit("product", product, "absent"));
      assert.equal(
        await outcomeOf(store, recordCommit("product", aProduct({ version: 9, name: "Ash table" }), 8)),
        "stale",
      );
      assert.deepEqual(await found(store, [ITSELF, DARK]), summariesOf(product));
    });

    it("is of the business that asks", async (store) => {
      await store.commit(recordCommit("product", aProduct({ variants: [aVariant()] }), "absent"));
      await store.commit(recordCommit("product", aProduct({ businessId: "2", name: "Theirs" }), "absent"));
      assert.deepEqual(
        (await store.findProductSummaries("2", [DARK])).map(({ name }) => name),
        ["Theirs"],
      );
      assert.deepEqual(await store.findProductSummaries("3", [ITSELF, DARK]), []);
    });

    it("is as many as are named", async (store) => {
      const variants = Array.from({ length: 100 }, (_, index) => aVariant({ id: `v-${index}`, name: `Leg ${index}` }));
      for (let index = 0; index < 5; index += 1)
        await store.commit(recordCommit("product", aProduct({ id: `p-${index}`, variants }), "absent"));
      const names = Array.from({ length: 500 }, (_, index) => ({
        productId: `p-${index % 5}`,
        variantId: `v-${Math.floor(index / 5)}`,
      }));
      assert.equal((await found(store, names)).length, 500);
    });
  });
}

/** Products before their variants, by their ids. */
async function found(store: Store, names: readonly ProductName[]): Promise<readonly ProductSummary[]> {
  const place = ({ productId, variantId }: ProductName) => `${productId} ${variantId ?? ""}`;
  const summaries = await store.findProductSummaries("1", names);
  return [...summaries].sort((a, b) => (place(a) < place(b) ? -1 : 1));
}
