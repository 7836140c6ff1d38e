import { aCustomer, aPackage, aProduct, manualClock, memoryStore } from "@budgetkit/testing";
import { beforeEach, describe, expect, it } from "vitest";
import type { Actor } from "../kernel/actor.js";
import { createCall } from "../kernel/call.js";
import { createIdSource } from "../kernel/ids.js";
import { commitOn } from "../testing/commit-on.js";
import { type CatalogOperations, createCatalogOperations } from "./catalog-operations.js";
import { checkSize } from "./record-size.js";

const MAX_BYTES = 32_768;
const actor: Actor = { kind: "system", businessId: "1" };

describe("the size of a record", () => {
  let catalog: CatalogOperations;

  beforeEach(() => {
    const store = memoryStore();
    const clock = manualClock("2026-03-02T12:00:00.000Z");
    const quota = { budgets: null, bytes: null };
    const findBusiness = async () => null;
    const ids = createIdSource(store);
    const context = { store, commit: commitOn(store), clock, ids, quota, rounding: "half-up", findBusiness } as const;
    catalog = createCatalogOperations(
      () => context,
      createCall(async () => {}),
    );
  });

  it.each([
    ["customer", aCustomer()],
    ["product", aProduct()],
    ["package", aPackage()],
  ])("bounds a %s by the bytes of what requests can fill (MAX_LENGTH)", (_kind, { name: _, ...record }) => {
    const { businessId, id, version, createdAt, updatedAt, deletedAt, ...content } = record;
    const left = MAX_BYTES - Buffer.byteLength(JSON.stringify({ ...content, name: "" }));
    const name = `é${"x".repeat(left - 2)}`;
    expect(checkSize({ ...record, name }).isOk()).toBe(true);
    expect(checkSize({ ...record, name, version: 1_000_000, deletedAt: 1 }).isOk()).toBe(true);
    expect(checkSize({ ...record, name: `${name}x` })._unsafeUnwrapErr()).toMatchObject({
      kind: "invalid",
      errors: [{ field: "name", code: "MAX_LENGTH", message: "makes the whole larger than 32768 bytes of JSON" }],
    });
  });

  const tooLarge = (field: string) => ({ kind: "invalid", errors: [{ field, code: "MAX_LENGTH" }] });
  const variants = (count: number) => Array.from({ length: count }, () => ({ name: "x".repeat(200) }));

  it("bounds the size of a product at creation and update (MAX_LENGTH)", async () => {
    const { products } = catalog;
    const metadata = { text: "x".repeat(16_000) };
    expect((await products.create(actor, { name: "Table", metadata, variants: variants(100) })).isErr()).toBe(true);
    const made = (await products.create(actor, { id: "p", name: "Table", metadata }))._unsafeUnwrap();
    const refused = await products.update(actor, "p", { variants: variants(70) });
    expect(refused._unsafeUnwrapErr()).toMatchObject(tooLarge("variants"));
    expect((await products.get(actor, "p"))._unsafeUnwrap()).toEqual(made);
    const unlike = await products.update(actor, "p", { variants: variants(50), description: "\u0001".repeat(2_000) });
    expect(unlike._unsafeUnwrapErr()).toMatchObject(tooLarge("metadata"));
    expect((await products.update(actor, "p", { variants: variants(70), metadata: {} })).isOk()).toBe(true);
  });

  it("bounds the size of a package (MAX_LENGTH)", async () => {
    await catalog.products.create(actor, { id: "p".repeat(64), name: "Table" });
    const items = Array.from({ length: 100 }, () => ({ productId: "p".repeat(64), quantity: 1 }));
    const made = await catalog.packages.create(actor, { id: "k", name: "Set", items });
    expect(made.isOk()).toBe(true);
    const change = { metadata: { text: "x".repeat(16_000) }, description: "漢".repeat(2_000) };
    const refused = (await catalog.packages.update(actor, "k", change))._unsafeUnwrapErr();
    expect(refused).toMatchObject(tooLarge("metadata"));
  });
});
