import { aCustomer, anItem, aPackage, aProduct, aVariant } from "@budgetkit/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { budgetWorld } from "../../testing/budget-world.js";
import { checkReferences, type ItemReference, newlyNaming } from "./references.js";

describe("strict references", () => {
  const world = budgetWorld({ references: "strict" });

  beforeEach(async () => {
    const { store } = budgetWorld();
    Object.assign(world.context, { store });
    await store.insertCustomer(aCustomer({ id: "c" }), [], null);
    await store.insertCustomer(aCustomer({ id: "gone", deletedAt: 1 }), [], null);
    await store.insertProduct(aProduct({ id: "p", variants: [aVariant({ id: "v" })] }), [], null);
    await store.insertProduct(aProduct({ id: "gone", deletedAt: 1, variants: [aVariant({ id: "v" })] }), [], null);
    await store.insertPackage(aPackage({ id: "b" }), [], null);
    await store.insertPackage(aPackage({ id: "gone", deletedAt: 1 }), [], null);
    await store.insertCustomer(aCustomer({ businessId: "2", id: "theirs" }), [], null);
    await store.insertProduct(aProduct({ businessId: "2", id: "theirs" }), [], null);
    await store.insertPackage(aPackage({ businessId: "2", id: "theirs" }), [], null);
  });

  async function refusal(customerId: string | null, ...items: (ItemReference | null)[]): Promise<unknown> {
    const checked = await checkReferences(world.context, "1", { customerId, items });
    return checked.isOk() ? null : checked.error;
  }

  const unknown = (field: string, id: string) =>
    expect.objectContaining({ kind: "rule", rule: "UNKNOWN_REFERENCE", details: { field, id } });

  it("strict references accept what the catalog has", async () => {
    expect(await refusal("c")).toBeNull();
    expect(
      await refusal("c", {}, { productId: "p", variantId: "v" }, { packageId: "b" }, { productId: null }),
    ).toBeNull();
    expect(await refusal(null, null)).toBeNull();
  });

  it.each(["none", "gone", "theirs"])("strict references refuse %j in any position (UNKNOWN_REFERENCE)", async (id) => {
    expect(await refusal(id)).toEqual(unknown("customerId", id));
    expect(await refusal("c", {}, { productId: id })).toEqual(unknown("items[1].productId", id));
    expect(await refusal("c", null, { productId: "p", variantId: id })).toEqual(unknown("items[1].variantId", id));
    expect(await refusal(null, { packageId: id })).toEqual(unknown("items[0].packageId", id));
  });

  it("strict references refuse a variant without a product (UNKNOWN_REFERENCE)", async () => {
    expect(await refusal(null, { variantId: "v" })).toEqual(unknown("items[0].variantId", "v"));
  });

  it("accepts unknown references while references are open", async () => {
    const { context } = budgetWorld();
    const items = [{ productId: "none" }];
    expect((await checkReferences(context, "1", { customerId: "none", items })).isOk()).toBe(true);
  });
});

describe("the items that name something new", () => {
  it("checks only items that are new or name another product, variant or package", () => {
    const before = [anItem({ id: "1", productId: "p" }), anItem({ id: "2", packageId: "b" }), anItem({ id: "3" })];
    const renamed = { ...anItem({ id: "3" }), variantId: "v" };
    const added = anItem({ id: "4", productId: "p" });
    expect(newlyNaming([...before, added], before)).toEqual([null, null, null, added]);
    const swapped = [{ ...anItem(), id: "1", productId: "q" }, { ...anItem(), id: "2", packageId: "c" }, renamed];
    expect(newlyNaming(swapped, before)).toEqual(swapped);
  });
});
