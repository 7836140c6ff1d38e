import assert from "node:assert/strict";
import { type Product, type ProductName, type ProductSummary, type Store, summariesOf } from "@budgetkit/core/store";
import { aProduct, aVariant } from "../catalog-fixtures.js";
import { FIXTURE_TIME } from "../fixtures.js";
import type { Suite } from "./suite.js";

const ITSELF: ProductName = { productId: "700", variantId: null };
const DARK: ProductName = { productId: "700", variantId: "v-1" };

export function productSummaryCases({ describe, it }: Suite): void {
  describe("what is found of named products", () => {
    it("finds the summary of a product, or of the named variant", async (store) => {
      const product = aProduct({ sku: "OAK", variants: [aVariant({ unitPrice: 500.25 }), aVariant({ id: "v-2" })] });
      await store.insertProduct(product, [], null);
      const [own, dark] = summariesOf(product);
      assert.deepEqual(await found(store, [DARK, ITSELF]), [own, dark]);
      assert.deepEqual(await found(store, [ITSELF]), [own]);
    });

    it("finds the product for an unknown variant, and nothing for an unknown product", async (store) => {
      const product = aProduct({ variants: [aVariant()] });
      await store.insertProduct(product, [], null);
      const gone = { productId: "700", variantId: "gone" };
      const unknown = { productId: "701", variantId: "v-1" };
      assert.deepEqual(await found(store, [gone, unknown]), [summariesOf(product)[0]]);
      assert.deepEqual(await found(store, []), []);
    });

    it("product summaries follow every change, the variants' too", async (store) => {
      await store.insertProduct(aProduct({ variants: [aVariant(), aVariant({ id: "v-2" })] }), [], null);
      const kept = aVariant({ id: "v-2", name: "Oak table, light", sku: "LIGHT" });
      const changes: readonly Partial<Product>[] = [
        { name: "Ash table", currency: "ARS", unitPrice: null, variants: [kept] },
        { deletedAt: FIXTURE_TIME + 1, variants: [kept] },
      ];
      for (const [index, change] of changes.entries()) {
        const next = aProduct({ version: index + 2, ...change });
        assert.equal(await store.replaceProduct(next, index + 1, [], null), "written");
        const [own, light] = summariesOf(next);
        assert.deepEqual(await found(store, [ITSELF, { ...ITSELF, variantId: "v-2" }]), [own, light]);
        assert.deepEqual(await found(store, [DARK]), [own]);
      }
    });

    it("a refused change touches no product summary", async (store) => {
      const product = aProduct({ variants: [aVariant()] });
      await store.insertProduct(product, [], null);
      assert.equal(await store.replaceProduct(aProduct({ version: 9, name: "Ash table" }), 8, [], null), "stale");
      assert.deepEqual(await found(store, [ITSELF, DARK]), summariesOf(product));
    });

    it("finds product summaries of the own business alone", async (store) => {
      await store.insertProduct(aProduct({ variants: [aVariant()] }), [], null);
      await store.insertProduct(aProduct({ businessId: "2", name: "Theirs" }), [], null);
      assert.deepEqual(
        (await store.findProductSummaries("2", [DARK])).map(({ name }) => name),
        ["Theirs"],
      );
      assert.deepEqual(await store.findProductSummaries("3", [ITSELF, DARK]), []);
    });

    it("finds as many product summaries as are named", async (store) => {
      const variants = Array.from({ length: 100 }, (_, index) => aVariant({ id: `v-${index}`, name: `Leg ${index}` }));
      for (let index = 0; index < 5; index += 1)
        await store.insertProduct(aProduct({ id: `p-${index}`, variants }), [], null);
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
