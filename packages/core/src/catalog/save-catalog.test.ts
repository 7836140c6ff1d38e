import { describe, expect, it } from "vitest";
import { createIdSource } from "../kernel/ids.js";
import { parseInput } from "../kernel/validation.js";
import { memoryStore } from "../testing/memory-store/index.js";
import { saveCustomer, saveCustomerSchema, saveProduct, saveProductSchema } from "./save-catalog.js";

const actor = { kind: "system", businessId: "1" } as const;

function world() {
  const store = memoryStore();
  const context = { store, ids: createIdSource(store) };
  return {
    store,
    customer: async (input: unknown) =>
      (await saveCustomer(context, actor, saveCustomerSchema.parse(input)))._unsafeUnwrap(),
    product: async (input: unknown) =>
      (await saveProduct(context, actor, saveProductSchema.parse(input)))._unsafeUnwrap(),
  };
}

describe("saveCustomer", () => {
  it("adds a customer under the host's id, and replaces it the next time", async () => {
    const { store, customer } = world();
    const bruno = { id: "crm:bruno-1", name: "Bruno", email: "bruno@example.com", phone: "+54 11 5555-0000" };
    expect(await customer(bruno)).toEqual(bruno);
    await customer({ id: bruno.id, name: "Bruno Díaz" });
    expect(await store.findCustomers("1", [bruno.id])).toEqual([
      { id: bruno.id, name: "Bruno Díaz", email: null, phone: null },
    ]);
  });

  it("assigns an id when none is given", async () => {
    const { store, customer } = world();
    const { id } = await customer({ name: "Bruno" });
    expect(id).toMatch(/^[1-9]\d*$/);
    expect(await store.findCustomers("1", [id])).toHaveLength(1);
  });

  it("keeps businesses apart", async () => {
    const { store, customer } = world();
    await customer({ id: "500", name: "Bruno" });
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
  ])("refuses %j", (change, field) => {
    const refused = parseInput(saveCustomerSchema, { name: "Bruno", ...change });
    expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "invalid", errors: [{ field }] });
  });
});

describe("saveProduct", () => {
  it("adds and replaces a product, with the host's id or a new one", async () => {
    const { store, product } = world();
    const table = { id: "700", name: "Oak table", sku: "OAK-1" };
    expect(await product(table)).toEqual(table);
    const other = await product({ name: "Pine table" });
    await product({ ...table, sku: null });
    expect(await store.findProducts("1", ["700", other.id])).toEqual(
      expect.arrayContaining([
        { ...table, sku: null },
        { id: other.id, name: "Pine table", sku: null },
      ]),
    );
  });

  it("refuses a product without a name", () => {
    expect(saveProductSchema.safeParse({ name: "" }).success).toBe(false);
  });
});
