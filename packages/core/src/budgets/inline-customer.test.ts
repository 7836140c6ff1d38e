import { aCustomer } from "@budgetkit/testing";
import { describe, expect, it, vi } from "vitest";
import { recordCommit } from "../catalog/catalog-commits.js";
import type { Customer } from "../catalog/customer.js";
import type { Actor } from "../kernel/actor.js";
import { budgetWorld } from "../testing/budget-world.js";

const items = [{ description: "Oak table", quantity: 1, unitPrice: 450 }];
const bruno = { name: "Bruno", email: "bruno@example.org", phone: "+54 11", address: "Norte 1", cuit: "20-12345678-6" };
const offer = {
  currency: "USD",
  issueDate: "2026-03-02",
  expirationDate: "2026-04-01",
  sellerId: 5,
  minimumPaymentToConfirm: 0,
  subtotal: 450,
  total: 450,
  iva: 0,
  items: [{ quantity: 1, unitPrice: 450 }],
};

type World = ReturnType<typeof budgetWorld>;

function inlineWorld(given: Parameters<typeof budgetWorld>[0] = {}) {
  const world = budgetWorld(given);
  const actor: Actor = { kind: "user", businessId: "1", id: "7", role: "OWNER", sessionId: null };
  const insert = (customer: Partial<Customer>) =>
    world.store.commit(recordCommit("customer", aCustomer({ cuit: null, ...customer }), "absent"));
  const query = { includeDeleted: true, search: null, sort: "createdAt", order: "asc", limit: 100 } as const;
  const customers = async () =>
    (await world.store.listRecords("customer", "1", { ...query, position: { kind: "offset", offset: 0 } })).entries;
  return { ...world, key: world.actor, actor, insert, customers };
}

const typesOf = (events: Awaited<ReturnType<World["events"]>>) => events.map(({ type }) => type);

describe("the inline customer of a new budget", () => {
  it("creates an unknown customer with the budget, customer.created before budget.created", async () => {
    const { budgets, actor, customers, events } = inlineWorld();
    const created = (await budgets.create(actor, { customer: bruno, items }))._unsafeUnwrap();
    const [customer] = await customers();
    expect(customer).toMatchObject({ ...bruno, cuit: "20123456786", version: 1, deletedAt: null });
    expect(created.customerId).toBe(customer?.id);
    expect(created.customer).toEqual({ id: customer?.id, name: "Bruno", email: bruno.email });
    const made = await events();
    expect(typesOf(made)).toEqual(["customer.created", "budget.created"]);
    expect(made[0]).toMatchObject({ subjectId: customer?.id, data: { id: customer?.id, phone: "+54 11" } });
    expect(made[1]?.data.customer).toEqual({ id: customer?.id, name: "Bruno", email: bruno.email });
  });

  it("finds the customer with the email regardless of case, and leaves the customer as it is", async () => {
    const { budgets, actor, insert, customers, events } = inlineWorld();
    await insert({ id: "ana", name: "Ana", email: "Ana@Example.org" });
    const other = { name: "Another name", email: "aNA@example.ORG", phone: "1" };
    const created = (await budgets.create(actor, { customer: other, items }))._unsafeUnwrap();
    expect(created.customer).toEqual({ id: "ana", name: "Ana", email: "Ana@Example.org" });
    expect(await customers()).toMatchObject([{ id: "ana", name: "Ana", version: 1 }]);
    expect(typesOf(await events())).toEqual(["budget.created"]);
  });

  it("finds the oldest of several customers with the email", async () => {
    const { budgets, actor, insert } = inlineWorld();
    await insert({ id: "a", email: "ana@example.org", createdAt: 20 });
    await insert({ id: "b", email: "ana@example.org", createdAt: 10 });
    const customer = { name: "Ana", email: "ana@example.org" };
    expect((await budgets.create(actor, { customer, items }))._unsafeUnwrap().customerId).toBe("b");
  });

  it("creates a customer for each budget without an email", async () => {
    const { budgets, actor, customers } = inlineWorld();
    for (let made = 0; made < 2; made += 1) await budgets.create(actor, { customer: { name: "Ana" }, items });
    expect(await customers()).toHaveLength(2);
  });

  it("a deleted customer is not restored: its email makes a new customer, and its id is refused", async () => {
    const { budgets, actor, insert, customers } = inlineWorld();
    await insert({ id: "ana", email: "ana@example.org", deletedAt: 5 });
    const customer = { name: "Ana", email: "ana@example.org" };
    const created = (await budgets.create(actor, { customer, items }))._unsafeUnwrap();
    expect(created.customerId).not.toBe("ana");
    expect(await customers()).toHaveLength(2);
    const refused = (await budgets.create(actor, { customer: { ...customer, id: "ana" }, items }))._unsafeUnwrapErr();
    expect(refused).toMatchObject({ kind: "conflict", details: { field: "customer.id" } });
  });

  it("finds an inline customer with an id by the id alone, and else creates it, even if the email is known", async () => {
    const { budgets, actor, customers } = inlineWorld();
    const create = (id: string) => budgets.create(actor, { customer: { ...bruno, cuit: null, id }, items });
    for (const id of ["a", "a", "b"]) expect((await create(id))._unsafeUnwrap().customerId).toBe(id);
    expect((await customers()).map(({ id }) => id).sort()).toEqual(["a", "b"]);
  });

  it("refuses the cuit of another customer, naming customer.cuit, and writes nothing", async () => {
    const { budgets, actor, insert, customers, events } = inlineWorld();
    await insert({ id: "ana", email: null, cuit: "20123456786" });
    const refused = (await budgets.create(actor, { customer: bruno, items }))._unsafeUnwrapErr();
    expect(refused).toMatchObject({ kind: "conflict", details: { field: "customer.cuit" } });
    expect(await customers()).toHaveLength(1);
    expect(await events()).toEqual([]);
  });

  it("needs WRITE_CUSTOMERS of a key only for a customer that is new", async () => {
    const { budgets, insert, events } = inlineWorld();
    const reader: Actor = { kind: "key", businessId: "1", id: "12", scopes: ["WRITE_BUDGETS", "READ_CUSTOMERS"] };
    const refused = (await budgets.create(reader, { customer: bruno, items }))._unsafeUnwrapErr();
    expect(refused).toMatchObject({ kind: "forbidden", message: expect.stringContaining("WRITE_CUSTOMERS") });
    expect((await budgets.preview(reader, { customer: bruno, items }))._unsafeUnwrapErr()).toEqual(refused);
    expect(await events()).toEqual([]);
    await insert({ id: "b", email: bruno.email });
    expect((await budgets.create(reader, { customer: bruno, items })).isOk()).toBe(true);
  });

  it("a key that may not read customers cannot find out whether the catalog has an email", async () => {
    const { budgets, key, insert } = inlineWorld();
    const answers = async () =>
      [
        await budgets.create(key, { customer: bruno, items }),
        await budgets.preview(key, { customer: bruno, items }),
        await budgets.createPublic(key, { ...offer, customer: bruno }),
      ].map((answer) => answer._unsafeUnwrapErr());
    const unknown = await answers();
    await insert({ id: "b", email: bruno.email });
    expect(await answers()).toEqual(unknown);
  });

  it("satisfies strict references, which know the customer then", async () => {
    const { budgets, actor } = inlineWorld({ references: "strict" });
    expect((await budgets.create(actor, { customer: bruno, items })).isOk()).toBe(true);
    expect((await budgets.preview(actor, { customer: { name: "Carla" }, items })).isOk()).toBe(true);
    expect((await budgets.createPublic(actor, { ...offer, customer: bruno })).isOk()).toBe(true);
  });

  it("a public creation names the new customer on the page of its link", async () => {
    const { budgets, actor, customers } = inlineWorld();
    const made = (await budgets.createPublic(actor, { ...offer, customer: bruno }))._unsafeUnwrap();
    const shown = (await budgets.openPublicLink(made.publicToken))._unsafeUnwrap();
    expect(shown.customer).toEqual({ name: "Bruno", address: "Norte 1", taxId: "20123456786" });
    expect(await customers()).toHaveLength(1);
  });

  it("a preview with an inline customer adds nothing to the catalog", async () => {
    const { budgets, actor, customers, events } = inlineWorld();
    expect((await budgets.preview(actor, { customer: bruno, items })).isOk()).toBe(true);
    expect(await customers()).toEqual([]);
    expect(await events()).toEqual([]);
  });

  it("creations at the same time with one new email add one customer", async () => {
    const { budgets, actor, customers, events } = inlineWorld();
    const made = await Promise.all(
      Array.from({ length: 5 }, () => budgets.create(actor, { customer: { ...bruno, cuit: null }, items })),
    );
    const ids = made.map((each) => each._unsafeUnwrap().customerId);
    expect(new Set(ids).size).toBe(1);
    expect(await customers()).toHaveLength(1);
    expect(typesOf(await events()).filter((type) => type === "customer.created")).toHaveLength(1);
  });

  it("decides again when the customer appears between the look-up and the commit", async () => {
    const { budgets, actor, store, insert, customers } = inlineWorld();
    vi.spyOn(store, "findCustomerByEmail").mockImplementationOnce(async () => {
      await insert({ id: "ana", email: bruno.email });
      return null;
    });
    expect((await budgets.create(actor, { customer: bruno, items }))._unsafeUnwrap().customerId).toBe("ana");
    expect(await customers()).toHaveLength(1);
  });

  it("skips an id that the host gave to another customer", async () => {
    const { budgets, actor, store, insert } = inlineWorld();
    const taken = (await budgets.create(actor, { customer: { name: "First" }, items }))._unsafeUnwrap();
    const next = Number(taken.items[0]?.id) + 3; // after the ids of the two events
    for (let id = next - 2; id < next + 4; id += 1) await insert({ id: String(id), email: null });
    const made = (await budgets.create(actor, { customer: { name: "Second" }, items }))._unsafeUnwrap();
    expect((await store.findRecord("customer", "1", made.customerId))?.name).toBe("Second");
  });

  it("refuses customer beside customerId, and reports faults by their paths", async () => {
    const { budgets, actor } = inlineWorld();
    const errorsOf = async (input: object) => {
      const refused = (
        await budgets.create(actor, Object.assign({ items, customer: bruno }, input))
      )._unsafeUnwrapErr();
      return refused.kind === "invalid" ? refused.errors.map(({ field, code }) => `${field}:${code}`) : refused.kind;
    };
    expect(await errorsOf({ customerId: "ana" })).toEqual(["customer:INVALID_VALUE"]);
    expect(await errorsOf({ customerId: "ana", items: [] })).toEqual(["items:MIN_LENGTH", "customer:INVALID_VALUE"]);
    expect(await errorsOf({ customer: { name: "Ana", email: "ana" } })).toEqual(["customer.email:INVALID_FORMAT"]);
    expect(await errorsOf({ customer: { email: "ana@example.org" } })).toEqual(["customer.name:REQUIRED"]);
    expect(await errorsOf({ customer: { name: "Ana", taxId: "1" } })).toEqual(["customer:INVALID_VALUE"]);
    expect(await errorsOf({ customer: null })).toEqual(["customerId:REQUIRED"]);
    expect(await errorsOf({ customer: undefined, items: [], notes: 1 })).toEqual([
      "customerId:REQUIRED",
      "items:MIN_LENGTH",
      "notes:INVALID_TYPE",
    ]);
    for (const input of [[], "text", null]) {
      const refused = (await budgets.create(actor, JSON.parse(JSON.stringify(input))))._unsafeUnwrapErr();
      expect(refused).toMatchObject({ errors: [{ field: "", code: "INVALID_TYPE" }] });
    }
    expect(await errorsOf({ customer: undefined, customerId: 5 })).toEqual(["customerId:INVALID_TYPE"]);
  });

  it("bounds the customer like one that is created alone (MAX_LENGTH)", async () => {
    const { budgets, actor } = inlineWorld();
    const metadata = Object.fromEntries(Array.from({ length: 4 }, (_, index) => [String(index), "x".repeat(4_000)]));
    const customer = { ...bruno, metadata, address: "漢".repeat(2_000), name: "漢".repeat(255), externalId: "e" };
    const refused = await budgets.create(actor, { customer: { ...customer, address: "x".repeat(2_001) }, items });
    expect(refused._unsafeUnwrapErr()).toMatchObject({ errors: [{ field: "customer.address", code: "MAX_LENGTH" }] });
    expect((await budgets.create(actor, { customer, items })).isOk()).toBe(true);
  });
});
