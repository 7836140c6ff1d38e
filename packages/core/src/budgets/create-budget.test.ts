import { aCustomer, aProduct } from "@budgetkit/testing";
import { describe, expect, it, vi } from "vitest";
import { EMPTY_PROFILE } from "../access/business.js";
import { recordCommit } from "../catalog/catalog-commits.js";
import { budgetWorld } from "../testing/budget-world.js";
import { itemsOf } from "../testing/items-of.js";
import { sweepOverdue } from "./lifecycle/expire-budgets.js";

const lines = [{ description: "Design", quantity: 2, unitPrice: 50 }];

describe("creating a budget", () => {
  it("answers with a PENDING budget, computed totals and ids for the items", async () => {
    const { budgets, actor } = budgetWorld();
    const input = { customerId: "c-1", items: lines, taxRate: 0.21, discountAmount: 10, notes: "Hello" };
    const created = (await budgets.create(actor, input))._unsafeUnwrap();
    expect(created).toMatchObject({
      customerId: "c-1",
      status: "PENDING",
      version: 1,
      currency: "USD",
      subtotal: 100,
      discount: 10,
      tax: 18.9,
      total: 108.9,
      taxRate: 0.21,
      notes: "Hello",
      validUntil: null,
      metadata: {},
      customer: { id: "c-1", name: null, email: null },
      createdAt: "2026-03-02T12:00:00.000Z",
      createdBy: "key:12",
      approvedAt: null,
      approvedBy: null,
    });
    expect(created.items).toMatchObject([{ description: "Design", quantity: 2, unitPrice: 50, total: 100, tax: 18.9 }]);
    expect(created.items[0]).not.toHaveProperty("productId");
    expect(created.items[0]?.id).toMatch(/^\d+$/);
  });

  it("makes one event with the payload of the contract", async () => {
    const { budgets, actor, events } = budgetWorld();
    const { id } = (await budgets.create(actor, { customerId: "c-1", items: lines }))._unsafeUnwrap();
    expect(await events()).toMatchObject([
      {
        type: "budget.created",
        subjectId: id,
        actor: "key:12",
        data: { id, customerId: "c-1", total: 100, status: "PENDING", createdAt: "2026-03-02T12:00:00.000Z" },
        change: { from: null, to: "PENDING" },
      },
    ]);
  });

  it("looks the business up once for all its steps", async () => {
    const findBusiness = vi.fn(async () => ({ name: "Carpintería Norte", timeZone: "UTC", profile: EMPTY_PROFILE }));
    const { budgets, actor } = budgetWorld({ findBusiness });
    (await budgets.create(actor, { customerId: "c-1", items: lines, validUntil: "2026-04-01" }))._unsafeUnwrap();
    expect(findBusiness).toHaveBeenCalledOnce();
  });

  it("looks the customer up together with the business, which may be one round trip", async () => {
    let answer = (_: null): void => {};
    const findBusiness = () =>
      new Promise<null>((resolve) => {
        answer = resolve;
      });
    const { budgets, actor, store } = budgetWorld({ findBusiness });
    const findCustomers = vi.spyOn(store, "findCustomers");
    const creation = budgets.create(actor, { customerId: "c-1", items: lines });
    await vi.waitFor(() => expect(findCustomers).toHaveBeenCalledOnce());
    answer(null);
    expect((await creation)._unsafeUnwrap()).toMatchObject({ customerId: "c-1" });
    expect(findCustomers).toHaveBeenCalledOnce();
  });

  it("makes a draft when asked to", async () => {
    const { budgets, actor } = budgetWorld();
    const created = await budgets.create(actor, { customerId: "c-1", items: lines, draft: true });
    expect(created._unsafeUnwrap()).toMatchObject({
      status: "DRAFT",
      availableActions: expect.arrayContaining(["submit"]),
    });
  });

  it("shows the customer that the catalog knows", async () => {
    const { budgets, actor, store } = budgetWorld();
    await store.commit(
      recordCommit("customer", aCustomer({ id: "c-1", name: "Ana", email: "ana@example.org" }), "absent"),
    );
    const created = await budgets.create(actor, { customerId: "c-1", items: lines });
    expect(created._unsafeUnwrap().customer).toEqual({ id: "c-1", name: "Ana", email: "ana@example.org" });
  });

  it("takes a plain date as the end of that day where the business is", async () => {
    const { budgets, actor } = budgetWorld({
      findBusiness: async () => ({ name: "Sur", timeZone: "America/Argentina/Buenos_Aires", profile: EMPTY_PROFILE }),
    });
    const created = await budgets.create(actor, { customerId: "c", items: lines, validUntil: "2026-03-02" });
    expect(created._unsafeUnwrap().validUntil).toBe("2026-03-03T02:59:59.999Z");
  });

  it("refuses a validity that has passed or passes now", async () => {
    const { budgets, actor, events } = budgetWorld();
    for (const validUntil of ["2026-03-01", "2026-03-02T12:00:00Z"]) {
      const refused = await budgets.create(actor, { customerId: "c", items: lines, validUntil });
      expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "rule", rule: "VALIDITY_IN_THE_PAST" });
    }
    expect(await events()).toEqual([]);
  });

  it("refuses an item that is a product and a package at once", async () => {
    const { budgets, actor } = budgetWorld();
    const items = [
      ...lines,
      { ...lines[0], description: "x", quantity: 1, unitPrice: 1, productId: "p", packageId: "q" },
    ];
    const refused = await budgets.create(actor, { customerId: "c", items });
    expect(refused._unsafeUnwrapErr()).toMatchObject({ rule: "PRODUCT_AND_PACKAGE", details: { field: "items[1]" } });
  });

  it("with strict references, refuses customers and products that the catalog does not know", async () => {
    const { budgets, actor, store } = budgetWorld({ references: "strict" });
    await store.commit(recordCommit("customer", aCustomer({ businessId: "2", id: "c-2" }), "absent"));
    await store.commit(recordCommit("customer", aCustomer({ id: "c-1" }), "absent"));
    await store.commit(recordCommit("product", aProduct({ id: "p-1" }), "absent"));
    const item = { description: "Chair", quantity: 1, unitPrice: 1 };
    const create = (customerId: string, productId?: string) =>
      budgets.create(actor, { customerId, items: [item, { ...item, productId }] });
    for (const customerId of ["c-2", "nobody"]) {
      expect((await create(customerId))._unsafeUnwrapErr()).toMatchObject({
        rule: "UNKNOWN_REFERENCE",
        details: { field: "customerId", id: customerId },
      });
    }
    expect((await create("c-1", "p-2"))._unsafeUnwrapErr()).toMatchObject({
      rule: "UNKNOWN_REFERENCE",
      details: { field: "items[1].productId", id: "p-2" },
    });
    expect((await create("c-1", "p-1")).isOk()).toBe(true);
  });

  it("holds a tax that the client gives to the rate, which is none unless it is named", async () => {
    const { budgets, actor } = budgetWorld();
    const given = { customerId: "c", items: lines, tax: 21, total: 121 };
    const kept = await budgets.create(actor, { ...given, taxRate: 0.21 });
    expect(kept._unsafeUnwrap()).toMatchObject({ tax: 21, total: 121, taxRate: 0.21 });
    expect((await budgets.create(actor, given))._unsafeUnwrapErr()).toMatchObject({
      rule: "TOTALS_MISMATCH",
      details: { field: "tax", given: 21, computed: 0 },
    });
  });

  it("bounds the descriptions of a budget together", async () => {
    const { budgets, actor } = budgetWorld();
    const long = { description: "x".repeat(2_000), quantity: 1, unitPrice: 1 };
    const create = (count: number) => budgets.create(actor, { customerId: "c", items: Array(count).fill(long) });
    expect((await create(32)).isOk()).toBe(true);
    expect((await create(33))._unsafeUnwrapErr()).toMatchObject({
      kind: "invalid",
      errors: [{ field: "items", code: "MAX_LENGTH" }],
    });
  });

  it.each([
    [{ discountAmount: 1.005 }, { kind: "invalid", errors: [{ field: "discountAmount", code: "INVALID_FORMAT" }] }],
    [{ subtotal: 1.005 }, { kind: "invalid", errors: [{ field: "subtotal" }] }],
    [{ items: [{ ...lines[0], description: "x", quantity: 1, unitPrice: 1, total: 1.005 }] }, { kind: "invalid" }],
    [{ total: 150 }, { kind: "rule", rule: "TOTALS_MISMATCH" }],
    [{ items: [] }, { kind: "invalid", errors: [{ field: "items", code: "MIN_LENGTH" }] }],
    [{ customerId: "" }, { kind: "invalid", errors: [{ field: "customerId", code: "MIN_LENGTH" }] }],
    [{ customerId: "a b" }, { kind: "invalid", errors: [{ field: "customerId", code: "INVALID_FORMAT" }] }],
    [{ currency: "usd" }, { kind: "invalid", errors: [{ field: "currency", code: "INVALID_VALUE" }] }],
    [{ taxRate: 1.01 }, { kind: "invalid", errors: [{ field: "taxRate", code: "MAX_VALUE" }] }],
    [{ validUntil: "2026-02-30" }, { kind: "invalid", errors: [{ field: "validUntil", code: "INVALID_FORMAT" }] }],
    [
      { metadata: { big: "x".repeat(20_000) } },
      { kind: "invalid", errors: [{ field: "metadata", code: "MAX_LENGTH" }] },
    ],
    [
      { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 1])) },
      { kind: "invalid", errors: [{ field: "metadata", code: "MAX_LENGTH" }] },
    ],
    [{ metadata: { text: "a\u0000b" } }, { kind: "invalid" }],
  ])("refuses %j", async (overrides, problem) => {
    const { budgets, actor, events } = budgetWorld();
    const refused = await budgets.create(actor, { customerId: "c", items: lines, ...overrides });
    expect(refused._unsafeUnwrapErr()).toMatchObject(problem);
    expect(await events()).toEqual([]);
  });

  it("treats minus zero as zero", async () => {
    const { budgets, actor } = budgetWorld();
    const items = [{ description: "Gift", quantity: 1, unitPrice: -0 }];
    const created = (await budgets.create(actor, { customerId: "c", items, taxRate: -0 }))._unsafeUnwrap();
    expect(Object.is(itemsOf(created)[0]?.unitPrice, 0) && Object.is(created.taxRate, 0)).toBe(true);
  });

  it("declines when another request took its idempotency key over", async () => {
    const { budgets, actor, events, lostClaim } = budgetWorld();
    const refused = await budgets.create(actor, { customerId: "c", items: lines }, { claim: lostClaim });
    expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "conflict" });
    expect(await events()).toEqual([]);
  });
});

describe("duplicating a budget", () => {
  it("makes a draft with the same content and ids of its own", async () => {
    const { budgets, actor, events } = budgetWorld();
    const input = { customerId: "c", items: lines, taxRate: 0.1, metadata: { a: 1 }, validUntil: "2026-04-01" };
    const original = (await budgets.create(actor, input))._unsafeUnwrap();
    const copy = (await budgets.duplicate(actor, original.id))._unsafeUnwrap();
    expect(copy).toMatchObject({ status: "DRAFT", version: 1, total: original.total, metadata: { a: 1 } });
    expect(copy.validUntil).toBe(original.validUntil);
    expect(copy.id).not.toBe(original.id);
    expect(copy.items[0]?.id).not.toBe(original.items[0]?.id);
    expect((await events()).map((event) => event.type)).toEqual(["budget.created", "budget.created"]);
  });

  it("does not share the public link", async () => {
    const { budgets, actor, store } = budgetWorld();
    const { id } = (await budgets.create(actor, { customerId: "c", items: lines }))._unsafeUnwrap();
    const { publicToken } = (await budgets.createPublicLink(actor, id))._unsafeUnwrap();
    const copy = (await budgets.duplicate(actor, id))._unsafeUnwrap();
    expect((await store.findBudget("1", copy.id))?.publicTokenHash).toBeNull();
    expect((await budgets.openPublicLink(publicToken))._unsafeUnwrap().id).toBe(id);
  });

  it("leaves out a validity that has passed", async () => {
    const { budgets, actor, clock } = budgetWorld();
    const input = { customerId: "c", items: lines, validUntil: "2026-03-03" };
    const { id } = (await budgets.create(actor, input))._unsafeUnwrap();
    clock.set("2026-03-05T00:00:00Z");
    expect((await budgets.duplicate(actor, id))._unsafeUnwrap().validUntil).toBeNull();
  });

  it("needs a budget that is there, at the version that the caller has seen", async () => {
    const { budgets, actor } = budgetWorld();
    expect((await budgets.duplicate(actor, "99"))._unsafeUnwrapErr()).toMatchObject({ kind: "not-found" });
    const { id } = (await budgets.create(actor, { customerId: "c", items: lines }))._unsafeUnwrap();
    expect((await budgets.duplicate(actor, id, { expectedVersion: 2 }))._unsafeUnwrapErr()).toMatchObject({
      kind: "stale",
    });
    expect((await budgets.duplicate(actor, id, { expectedVersion: 1 })).isOk()).toBe(true);
    await budgets.delete(actor, id);
    expect((await budgets.duplicate(actor, id))._unsafeUnwrapErr()).toMatchObject({ kind: "not-found" });
  });
});

describe("events", () => {
  it("are announced once they are committed, and never when nothing was", async () => {
    const { budgets, actor, announced, clock, context } = budgetWorld();
    const input = { customerId: "c", items: lines, validUntil: "2026-03-03" };
    const { id } = (await budgets.create(actor, input))._unsafeUnwrap();
    await budgets.update(actor, id, { notes: "Hello" });
    await budgets.update(actor, id, { notes: "Stale" }, { expectedVersion: 1 });
    await budgets.create(actor, { ...input, validUntil: "2026-03-01" });
    clock.set("2026-03-04T00:00:00Z");
    await budgets.get(actor, id);
    await Promise.all([sweepOverdue(context, clock.now()), sweepOverdue(context, clock.now())]);
    expect(announced.map((event) => event.type)).toEqual(["budget.created", "budget.updated", "budget.expired"]);
  });
});
