import { aCustomer, anItem, aPackage, aProduct, aVariant } from "@budgetkit/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { recordCommit } from "../../catalog/catalog-commits.js";
import { budgetWorld } from "../../testing/budget-world.js";
import { checkReferences, type ItemReference, newlyNaming } from "./references.js";

describe("strict references", () => {
  let world: ReturnType<typeof budgetWorld>;

  beforeEach(async () => {
    world = budgetWorld({ references: "strict" });
    const { store } = world;
    await store.commit(recordCommit("customer", aCustomer({ id: "c" }), "absent"));
    await store.commit(recordCommit("customer", aCustomer({ id: "gone", deletedAt: 1 }), "absent"));
    await store.commit(recordCommit("product", aProduct({ id: "p", variants: [aVariant({ id: "v" })] }), "absent"));
    await store.commit(
      recordCommit("product", aProduct({ id: "gone", deletedAt: 1, variants: [aVariant({ id: "v" })] }), "absent"),
    );
    await store.commit(recordCommit("package", aPackage({ id: "b" }), "absent"));
    await store.commit(recordCommit("package", aPackage({ id: "gone", deletedAt: 1 }), "absent"));
    await store.commit(recordCommit("customer", aCustomer({ businessId: "2", id: "theirs" }), "absent"));
    await store.commit(recordCommit("product", aProduct({ businessId: "2", id: "theirs" }), "absent"));
    await store.commit(recordCommit("package", aPackage({ businessId: "2", id: "theirs" }), "absent"));
  });

  async function refusal(customerId: string | null, ...items: (ItemReference | null)[]): Promise<unknown> {
    const checked = await checkReferences(world.context, "1", { customerId, items });
    return checked.isOk() ? null : checked.error;
  }

  const unknown = (field: string, id: string) =>
    expect.objectContaining({ kind: "rule", rule: "UNKNOWN_REFERENCE", details: { field, id } });

  it("take what the catalog has", async () => {
    expect(await refusal("c")).toBeNull();
    expect(
      await refusal("c", {}, { productId: "p", variantId: "v" }, { packageId: "b" }, { productId: null }),
    ).toBeNull();
    expect(await refusal(null, null)).toBeNull();
  });

  it.each(["none", "gone", "theirs"])("refuse %j wherever it stands", async (id) => {
    expect(await refusal(id)).toEqual(unknown("customerId", id));
    expect(await refusal("c", {}, { productId: id })).toEqual(unknown("items[1].productId", id));
    expect(await refusal("c", null, { productId: "p", variantId: id })).toEqual(unknown("items[1].variantId", id));
    expect(await refusal(null, { packageId: id })).toEqual(unknown("items[0].packageId", id));
  });

  it("refuse a variant of no product", async () => {
    expect(await refusal(null, { variantId: "v" })).toEqual(unknown("items[0].variantId", "v"));
  });

  it("are not asked about while references are open", async () => {
    const { context } = budgetWorld();
    const items = [{ productId: "none" }];
    expect((await checkReferences(context, "1", { customerId: "none", items })).isOk()).toBe(true);
  });
});

describe("the items that name something new", () => {
  it("are those that are new, or name another product, variant or package", () => {
    const before = [anItem({ id: "1", productId: "p" }), anItem({ id: "2", packageId: "b" }), anItem({ id: "3" })];
    const renamed = { ...anItem({ id: "3" }), variantId: "v" };
    const added = anItem({ id: "4", productId: "p" });
    expect(newlyNaming([...before, added], before)).toEqual([null, null, null, added]);
    const swapped = [{ ...anItem(), id: "1", productId: "q" }, { ...anItem(), id: "2", packageId: "c" }, renamed];
    expect(newlyNaming(swapped, before)).toEqual(swapped);
  });
});
