import { describe, expect, it } from "vitest";
import { createIdSource } from "../kernel/ids.js";
import { memoryStore } from "../testing/memory-store/index.js";
import { saveCustomer, saveProduct } from "./save-catalog.js";

const actor = { kind: "system", businessId: "1" } as const;

function world() {
  const store = memoryStore();
  return { store, context: { store, ids: createIdSource(store) } };
}

describe("saveCustomer", () => {
  it("adds a customer under the host's id, and replaces it the next time", async () => {
    const { context, store } = world();
    const bruno = { id: "crm:bruno-1", name: "Bruno", email: "bruno@example.com", phone: "+54 11 5555-0000" };
    expect((await saveCustomer(context, actor, bruno))._unsafeUnwrap()).toEqual(bruno);
    await saveCustomer(context, actor, { id: bruno.id, name: "Bruno Díaz" });
    expect(await store.findCustomers("1", [bruno.id])).toEqual([
      { id: bruno.id, name: "Bruno Díaz", email: null, phone: null },
    ]);
  });

  it("assigns an id when none is given", async () => {
    const { context, store } = world();
    const { id } = (await saveCustomer(context, actor, { name: "Bruno" }))._unsafeUnwrap();
    expect(id).toMatch(/^[1-9]\d*$/);
    expect(await store.findCustomers("1", [id])).toHaveLength(1);
  });

  it("keeps businesses apart", async () => {
    const { context, store } = world();
    await saveCustomer(context, actor, { id: "500", name: "Bruno" });
    expect(await store.findCustomers("2", ["500"])).toEqual([]);
  });

  it.each([
    [{ id: "a b" }, "id"],
    [{ id: "" }, "id"],
    [{ id: "x".repeat(65) }, "id"],
    [{ name: "" }, "name"],
    [{ name: "x".repeat(256) }, "name"],
    [{ email: "not an email" }, "email"],
    [{ phone: "" }, "phone"],
  ])("refuses %j", async (change, field) => {
    const { context } = world();
    expect((await saveCustomer(context, actor, { name: "Bruno", ...change }))._unsafeUnwrapErr()).toMatchObject({
      kind: "invalid",
      errors: [{ field }],
    });
  });
});

describe("saveProduct", () => {
  it("adds and replaces a product, with the host's id or a new one", async () => {
    const { context, store } = world();
    const table = { id: "700", name: "Oak table", sku: "OAK-1" };
    expect((await saveProduct(context, actor, table))._unsafeUnwrap()).toEqual(table);
    const other = (await saveProduct(context, actor, { name: "Pine table" }))._unsafeUnwrap();
    await saveProduct(context, actor, { ...table, sku: null });
    expect(await store.findProducts("1", ["700", other.id])).toEqual(
      expect.arrayContaining([
        { ...table, sku: null },
        { id: other.id, name: "Pine table", sku: null },
      ]),
    );
  });

  it("refuses a product without a name", async () => {
    const { context } = world();
    expect((await saveProduct(context, actor, { name: "" }))._unsafeUnwrapErr()).toMatchObject({
      kind: "invalid",
      errors: [{ field: "name" }],
    });
  });
});
