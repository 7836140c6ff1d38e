import { aPackage, aProduct, aVariant } from "@budgetkit/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { recordCommit } from "../../catalog/catalog-commits.js";
import type { ProductName } from "../../catalog/product-summary.js";
import { budgetWorld } from "../../testing/budget-world.js";
import { itemsOf } from "../../testing/items-of.js";

describe("an item that names a package", () => {
  let world: ReturnType<typeof budgetWorld>;

  beforeEach(async () => {
    world = budgetWorld();
    const variants = [aVariant({ id: "xl", name: "Table, XL", sku: "T-XL", unitPrice: 600 })];
    await world.store.commit(
      recordCommit("product", aProduct({ id: "t", name: "Table", sku: "T", unitPrice: 450, variants }), "absent"),
    );
    const items = [
      { productId: "t", variantId: "xl", quantity: 1 },
      { productId: "t", variantId: null, quantity: 2 },
      { productId: "t", variantId: "gone", quantity: 1 },
      { productId: "gone", variantId: null, quantity: 1 },
    ];
    await world.store.commit(recordCommit("package", aPackage({ id: "b", name: "Set", price: 99, items }), "absent"));
    await world.store.commit(
      recordCommit("package", aPackage({ id: "sum", name: "Sum", items: items.slice(0, 2) }), "absent"),
    );
  });

  const line = { description: "A set", quantity: 1, unitPrice: 10 };

  async function create(...items: readonly { packageId?: string; productId?: string }[]) {
    const { budgets, actor } = world;
    const input = { customerId: "c", items: items.map((item) => ({ ...line, ...item })) };
    return (await budgets.create(actor, input))._unsafeUnwrap();
  }

  async function linesRead(id: string) {
    return itemsOf((await world.budgets.get(world.actor, id))._unsafeUnwrap());
  }

  it("carries what the package held and cost", async () => {
    const { id } = await create({ packageId: "b" }, { packageId: "sum" }, {}, { packageId: "unknown" });
    const [first, second, third, fourth] = await linesRead(id);
    expect(first?.package).toEqual({
      id: "b",
      name: "Set",
      price: 99,
      currency: "USD",
      items: [
        { productId: "t", variantId: "xl", name: "Table, XL", sku: "T-XL", unitPrice: 600, quantity: 1 },
        { productId: "t", variantId: null, name: "Table", sku: "T", unitPrice: 450, quantity: 2 },
        { productId: "t", variantId: "gone", name: "Table", sku: "T", unitPrice: null, quantity: 1 },
        { productId: "gone", variantId: null, name: null, sku: null, unitPrice: null, quantity: 1 },
      ],
    });
    expect(second?.package?.price).toBe(1_500);
    expect(first?.unitPrice).toBe(10);
    for (const item of [third, fourth]) expect(item).not.toHaveProperty("package");
  });

  it("keeps it through changes of the item, and loses it with the package", async () => {
    const { id, items } = await create({ packageId: "b" });
    const [item] = await linesRead(id);
    await world.store.commit(recordCommit("package", aPackage({ id: "b", version: 2, name: "Other" }), 1));
    const change = async (fields: { quantity?: number; packageId?: string | null }) => {
      const { budgets, actor } = world;
      await budgets.update(actor, id, { items: [{ id: items[0]?.id ?? "", ...fields }] });
      return (await linesRead(id))[0]?.package;
    };
    expect(await change({ quantity: 3 })).toEqual(item?.package);
    expect(await change({ packageId: "b" })).toEqual(item?.package);
    expect((await change({ packageId: "sum" }))?.name).toBe("Sum");
    expect(await change({ packageId: null })).toBeUndefined();
    expect((await change({ packageId: "b" }))?.name).toBe("Other");
  });

  it("does not count as changed when it is sent as it is", async () => {
    const { id, items } = await create({ packageId: "later" });
    await world.store.commit(recordCommit("package", aPackage({ id: "later" }), "absent"));
    await world.budgets.update(world.actor, id, { status: "APPROVED" });
    const same = await world.budgets.update(world.actor, id, { items: [{ id: items[0]?.id ?? "" }] });
    expect(same.isOk()).toBe(true);
  });

  const tooLarge = { kind: "invalid", errors: [{ field: "items", code: "MAX_LENGTH" }] };

  /** Lines of a package of a hundred items, and the last of one that fills what is left of so many bytes. */
  async function linesOf(bytes: number) {
    const items = Array.from({ length: 100 }, () => ({ productId: "t", variantId: null, quantity: 1 }));
    await world.store.commit(recordCommit("package", aPackage({ id: "big", items }), "absent"));
    await world.store.commit(recordCommit("package", aPackage({ id: "none", name: "", items: [] }), "absent"));
    const big = Array.from({ length: 7 }, () => ({ ...line, packageId: "big" }));
    const measured = await linesRead((await create(...big, { packageId: "none" })).id);
    const used = measured.reduce((sum, item) => sum + Buffer.byteLength(JSON.stringify(item.package)), 0);
    const name = `é${"x".repeat(bytes - used - 2)}`;
    await world.store.commit(recordCommit("package", aPackage({ id: "none", version: 2, name, items: [] }), 1));
    return [...big, { ...line, packageId: "none" }];
  }

  it("may fill 64 KiB with all the others", async () => {
    const items = await linesOf(65_536);
    const { budgets, actor } = world;
    expect((await budgets.preview(actor, { items })).isOk()).toBe(true);
    const made = (await budgets.create(actor, { customerId: "c", items }))._unsafeUnwrap();
    const again = [{ id: made.items[0]?.id ?? "" }, ...items.slice(1)];
    const changed = (await budgets.update(actor, made.id, { items: again }))._unsafeUnwrap();
    const more = [...changed.items.map(({ id }) => ({ id })), { ...line, packageId: "b" }];
    expect((await budgets.update(actor, made.id, { items: more }))._unsafeUnwrapErr()).toMatchObject(tooLarge);
  });

  it("is refused with one byte more, wherever it is named", async () => {
    const items = await linesOf(65_537);
    const { budgets, actor } = world;
    const refused = (await budgets.create(actor, { customerId: "c", items }))._unsafeUnwrapErr();
    expect(refused).toMatchObject(tooLarge);
    expect((await budgets.preview(actor, { items }))._unsafeUnwrapErr()).toMatchObject(refused);
    const { id } = await create({});
    expect((await budgets.update(actor, id, { items }))._unsafeUnwrapErr()).toMatchObject(refused);
  });

  it("is refused before its products are looked up when it holds more than could fit", async () => {
    const items = Array.from({ length: 100 }, () => ({ productId: "t", variantId: null, quantity: 1 }));
    await world.store.commit(recordCommit("package", aPackage({ id: "7", items }), "absent"));
    const asked: (readonly ProductName[])[] = [];
    const findProductSummaries = async (_businessId: string, names: readonly ProductName[]) => {
      asked.push(names);
      return [];
    };
    const { budgets, actor } = budgetWorld({ store: { ...world.store, findProductSummaries } });
    const wish = (count: number) => Array.from({ length: count }, () => ({ ...line, packageId: "7" }));
    const input = { customerId: "c", items: [...wish(8), { ...line, packageId: "b" }] };
    expect((await budgets.create(actor, input))._unsafeUnwrapErr()).toMatchObject(tooLarge);
    const offer = {
      issueDate: "2026-03-01",
      expirationDate: "2026-04-01",
      currency: "USD",
      sellerId: 1,
      customerId: 1,
    };
    const sums = { minimumPaymentToConfirm: 0, subtotal: 90, iva: 0, total: 90 };
    const packages = Array.from({ length: 9 }, () => ({ packageId: 7, quantity: 1, unitPrice: 10 }));
    const refused = await budgets.createPublic(actor, { ...offer, ...sums, items: packages });
    expect(refused._unsafeUnwrapErr()).toMatchObject(tooLarge);
    expect(asked).toEqual([]);
    expect((await budgets.create(actor, { customerId: "c", items: wish(1) })).isOk()).toBe(true);
    expect(asked).toMatchObject([[{ productId: "t", variantId: null }]]);
  });

  it("is copied with a duplicate, and a strict copy needs what it names", async () => {
    const { id } = await create({ packageId: "b" });
    const copy = (await world.budgets.duplicate(world.actor, id))._unsafeUnwrap();
    expect((await linesRead(copy.id))[0]?.package?.name).toBe("Set");
    const strict = budgetWorld({ references: "strict", store: world.store });
    const refused = (await strict.budgets.duplicate(world.actor, id))._unsafeUnwrapErr();
    expect(refused).toMatchObject({ rule: "UNKNOWN_REFERENCE", details: { field: "customerId" } });
  });
});
