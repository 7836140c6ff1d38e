import { aCustomer, rounds } from "@budgetkit/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordCommit } from "../catalog/catalog-commits.js";
import { budgetWorld } from "../testing/budget-world.js";
import type { BudgetView } from "./budget-view.js";
import { TRANSITIONS } from "./transitions.js";

const lines = [
  { description: "Chair", quantity: 2, unitPrice: 50, productId: "p-1" },
  { description: "Table", quantity: 1, unitPrice: 300 },
];

async function worldWith(input: { draft?: boolean; validUntil?: string } = {}) {
  const world = budgetWorld();
  const create = { customerId: "c", items: lines, taxRate: 0.1, discountAmount: 40, notes: "First", ...input };
  const budget = (await world.budgets.create(world.actor, create))._unsafeUnwrap();
  return { ...world, budget, id: budget.id };
}

const typesOf = (events: readonly { type: string }[]) => events.map((event) => event.type);

describe("updating a budget", () => {
  it("approves, with the time and the actor, in one event", async () => {
    const { budgets, actor, id, clock, events } = await worldWith();
    clock.advance(1_000);
    const approved = (await budgets.update(actor, id, { status: "APPROVED" }))._unsafeUnwrap();
    expect(approved).toMatchObject({
      status: "APPROVED",
      version: 2,
      approvedAt: "2026-03-02T12:00:01.000Z",
      approvedBy: "key:12",
      updatedAt: "2026-03-02T12:00:01.000Z",
      createdAt: "2026-03-02T12:00:00.000Z",
    });
    expect((await events())[1]).toMatchObject({
      type: "budget.approved",
      data: { id, status: "APPROVED" },
      change: { fields: ["status"], from: "PENDING", to: "APPROVED" },
    });
  });

  it.each([
    ["REJECTED", "budget.rejected"],
    ["EXPIRED", "budget.expired"],
  ] as const)("moves to %s with %s", async (status, type) => {
    const { budgets, actor, id, events } = await worldWith();
    expect((await budgets.update(actor, id, { status }))._unsafeUnwrap().status).toBe(status);
    expect(typesOf(await events())).toEqual(["budget.created", type]);
  });

  it("with the present status succeeds without an event, and refreshes updatedAt", async () => {
    const { budgets, actor, id, clock, events } = await worldWith();
    clock.advance(5_000);
    const same = (await budgets.update(actor, id, { status: "PENDING" }))._unsafeUnwrap();
    expect(same).toMatchObject({ status: "PENDING", updatedAt: "2026-03-02T12:00:05.000Z" });
    expect(await events()).toHaveLength(1);
  });

  it("changes content and status in one step, telling the content first", async () => {
    const { budgets, actor, id, events } = await worldWith();
    const input = { status: "APPROVED", notes: "Final", metadata: { po: "77" } } as const;
    const updated = (await budgets.update(actor, id, input))._unsafeUnwrap();
    expect(updated).toMatchObject({ status: "APPROVED", notes: "Final", metadata: { po: "77" }, version: 2 });
    const [, changed, approved] = await events();
    expect(changed).toMatchObject({ type: "budget.updated", change: { fields: ["notes", "metadata"], to: "PENDING" } });
    expect(approved).toMatchObject({ type: "budget.approved" });
  });

  it("computes the totals again from a new rate, discount or list", async () => {
    const { budgets, actor, id } = await worldWith();
    expect((await budgets.update(actor, id, { taxRate: 0.2 }))._unsafeUnwrap()).toMatchObject({ tax: 72, total: 432 });
    expect((await budgets.update(actor, id, { discountAmount: 0 }))._unsafeUnwrap()).toMatchObject({ total: 480 });
    const items = [{ description: "Lamp", quantity: 3, unitPrice: 10 }];
    expect((await budgets.update(actor, id, { items }))._unsafeUnwrap()).toMatchObject({ subtotal: 30, total: 36 });
  });

  it("replaces the list: named items keep their id and what is left out, new ones get an id, others are gone", async () => {
    const { budgets, actor, id, budget } = await worldWith();
    const chair = budget.items[0]?.id ?? "";
    const items = [
      { description: "Lamp", quantity: 1, unitPrice: 20, packageId: "k-1" },
      { id: chair, quantity: 4 },
    ];
    const updated = (await budgets.update(actor, id, { items }))._unsafeUnwrap();
    expect(updated.items).toMatchObject([
      { description: "Lamp", packageId: "k-1", total: 20 },
      { id: chair, description: "Chair", quantity: 4, unitPrice: 50, productId: "p-1", total: 200 },
    ]);
    expect(updated.items[0]?.id).toMatch(/^\d+$/);
    const detached = [
      { id: chair, productId: null, variantId: "v-1", packageId: null, description: "Stool", unitPrice: 5 },
    ];
    const changed = (await budgets.update(actor, id, { items: detached, discountAmount: 0 }))._unsafeUnwrap();
    expect(changed.items).toMatchObject([
      { id: chair, description: "Stool", quantity: 4, variantId: "v-1", total: 20 },
    ]);
    expect(changed.items[0]).not.toHaveProperty("productId");
  });

  it("refuses an item id that the budget does not have, or has only once", async () => {
    const { budgets, actor, id, budget } = await worldWith();
    const chair = budget.items[0]?.id ?? "";
    for (const items of [[{ id: "999" }], [{ id: chair }, { id: chair }]]) {
      const refused = (await budgets.update(actor, id, { items }))._unsafeUnwrapErr();
      expect(refused).toMatchObject({ rule: "UNKNOWN_ITEM", details: { field: `items[${items.length - 1}].id` } });
    }
  });

  it("needs every field of a new item", async () => {
    const { budgets, actor, id } = await worldWith();
    const refused = (await budgets.update(actor, id, { items: [{ description: "Lamp" }] }))._unsafeUnwrapErr();
    expect(refused).toMatchObject({
      kind: "invalid",
      errors: [
        { field: "items[0].quantity", code: "REQUIRED" },
        { field: "items[0].unitPrice", code: "REQUIRED" },
      ],
    });
  });

  it.each([
    [{ discountAmount: 1.005 }, { kind: "invalid", errors: [{ field: "discountAmount" }] }],
    [{ discountAmount: 500 }, { rule: "DISCOUNT_EXCEEDS_SUBTOTAL" }],
    [{ items: [{ description: "x", quantity: 1e9, unitPrice: 1e9 }] }, { rule: "AMOUNT_TOO_LARGE" }],
    [{ validUntil: "2026-03-01" }, { rule: "VALIDITY_IN_THE_PAST" }],
    [
      { items: [{ ...lines[0], description: "x", quantity: 1, unitPrice: 1, packageId: "k" }] },
      { rule: "PRODUCT_AND_PACKAGE" },
    ],
    [{ items: [] }, { kind: "invalid", errors: [{ field: "items", code: "MIN_LENGTH" }] }],
    [{ status: "DELETED" as "PENDING" }, { kind: "invalid", errors: [{ field: "status", code: "INVALID_VALUE" }] }],
  ])("refuses %j and changes nothing", async (input, problem) => {
    const { budgets, actor, id, events } = await worldWith();
    expect((await budgets.update(actor, id, input))._unsafeUnwrapErr()).toMatchObject(problem);
    expect((await budgets.get(actor, id))._unsafeUnwrap().version).toBe(1);
    expect(await events()).toHaveLength(1);
  });

  it("clears what is set to null", async () => {
    const { budgets, actor, id } = await worldWith({ validUntil: "2026-04-01" });
    const cleared = (await budgets.update(actor, id, { notes: null, validUntil: null }))._unsafeUnwrap();
    expect(cleared).toMatchObject({ notes: null, validUntil: null });
  });

  describe("of a tax that public creation got as an amount", () => {
    async function taxedByAmount(iva = 84) {
      const world = budgetWorld();
      const offer = {
        currency: "USD",
        issueDate: "2026-03-01",
        expirationDate: "2026-04-01",
        customerId: 1,
        sellerId: 2,
        minimumPaymentToConfirm: 0,
        subtotal: 400,
        iva,
        total: 400 + iva,
        items: [
          { quantity: 2, unitPrice: 50 },
          { quantity: 1, unitPrice: 300 },
        ],
      };
      const id = String((await world.budgets.createPublic(world.actor, offer))._unsafeUnwrap().budgetId);
      const { items } = (await world.budgets.get(world.actor, id))._unsafeUnwrap();
      const ids = items.map((item) => item.id);
      return { ids, update: (input: object) => world.budgets.update(world.actor, id, input) };
    }

    it.each([
      ["items", (ids: readonly string[]) => ({ items: [{ id: ids[0] }] })],
      ["quantities", (ids: readonly string[]) => ({ items: [{ id: ids[0], quantity: 3 }, { id: ids[1] }] })],
      ["the discount", () => ({ discountAmount: 0.01 })],
    ])("needs the rate when %s change, and says so with the former figures", async (_, changeOf) => {
      const { ids, update } = await taxedByAmount();
      const change = changeOf(ids);
      expect((await update(change))._unsafeUnwrapErr()).toMatchObject({
        rule: "TAX_RATE_REQUIRED",
        message: expect.stringContaining("Send taxRate"),
        details: { field: "taxRate", tax: 84, taxable: 400 },
      });
      const changed = (await update({ ...change, taxRate: 0.1 }))._unsafeUnwrap();
      expect(changed.taxRate).toBe(0.1);
      expect(changed.tax).toBe(Math.round((changed.subtotal - changed.discount) * 10) / 100);
    });

    it("keeps the amount while what it taxes stays, and no tax in any case", async () => {
      const taxed = await taxedByAmount();
      const renamed = taxed.ids.map((id) => ({ id, description: "Renamed" }));
      expect((await taxed.update({ items: renamed }))._unsafeUnwrap()).toMatchObject({
        tax: 84,
        total: 484,
        taxRate: null,
      });
      const free = await taxedByAmount(0);
      expect((await free.update({ discountAmount: 100 }))._unsafeUnwrap()).toMatchObject({ tax: 0, total: 300 });
    });
  });

  it("keeps a line total that the client gave until the line itself changes", async () => {
    const { budgets, actor, events } = budgetWorld();
    const items = [{ description: "Gold", quantity: 3, unitPrice: 0.335, total: 1 }]; // 1.005, rounded to 1.01
    const made = (await budgets.create(actor, { customerId: "c", items }))._unsafeUnwrap();
    expect(made.subtotal).toBe(1);
    expect((await budgets.update(actor, made.id, { taxRate: 0.1 }))._unsafeUnwrap()).toMatchObject({
      subtotal: 1,
      total: 1.1,
    });
    expect((await events())[1]?.change.fields).not.toContain("subtotal");
    const dearer = [{ id: made.items[0]?.id ?? "", quantity: 6 }];
    expect((await budgets.update(actor, made.id, { items: dearer }))._unsafeUnwrap().subtotal).toBe(2.01);
  });

  it("locks the content once approved, but for metadata and for fields sent back as they are", async () => {
    const { budgets, actor, id, events } = await worldWith();
    await budgets.update(actor, id, { status: "APPROVED" });
    const refused = (await budgets.update(actor, id, { notes: "Later" }))._unsafeUnwrapErr();
    const details = { status: "APPROVED", fields: ["notes"], actions: ["reopen"] };
    expect(refused).toMatchObject({ rule: "BUDGET_LOCKED", details });
    expect((await budgets.update(actor, id, { notes: "First", taxRate: 0.1 })).isOk()).toBe(true);
    const tagged = (await budgets.update(actor, id, { metadata: { po: 1 } }))._unsafeUnwrap();
    expect(tagged).toMatchObject({ status: "APPROVED", metadata: { po: 1 } });
    expect(typesOf(await events())).toEqual(["budget.created", "budget.approved", "budget.updated"]);
  });

  it("takes new content together with the way back from REJECTED to PENDING", async () => {
    const { budgets, actor, id, events } = await worldWith();
    await budgets.update(actor, id, { status: "REJECTED" });
    const revised = await budgets.update(actor, id, { status: "PENDING", discountAmount: 60 });
    expect(revised._unsafeUnwrap()).toMatchObject({ status: "PENDING", discount: 60 });
    expect((await events())[2]).toMatchObject({
      type: "budget.updated",
      change: { from: "REJECTED", to: "PENDING", fields: expect.arrayContaining(["discount", "status"]) },
    });
  });

  it("needs a validity in the future to leave EXPIRED", async () => {
    const { budgets, actor, id, clock } = await worldWith({ validUntil: "2026-03-03" });
    clock.set("2026-03-04T00:00:00Z");
    const refused = (await budgets.update(actor, id, { status: "PENDING" }))._unsafeUnwrapErr();
    expect(refused).toMatchObject({ rule: "VALIDITY_IN_THE_PAST" });
    const renewed = await budgets.update(actor, id, { status: "PENDING", validUntil: "2026-03-09" });
    expect(renewed._unsafeUnwrap()).toMatchObject({ status: "PENDING", validUntil: "2026-03-09T23:59:59.999Z" });
  });

  it("names the moves that are allowed when it refuses one", async () => {
    const { budgets, actor, id } = await worldWith();
    await budgets.update(actor, id, { status: "APPROVED" });
    const refused = (await budgets.update(actor, id, { status: "PENDING" }))._unsafeUnwrapErr();
    expect(refused).toMatchObject({
      rule: "INVALID_TRANSITION",
      details: { from: "APPROVED", to: "PENDING", allowed: ["COMPLETED", "PENDING"], actions: ["complete", "reopen"] },
    });
  });

  it("refuses a stale version, and takes the current one", async () => {
    const { budgets, actor, id } = await worldWith();
    await budgets.update(actor, id, { notes: "Second" });
    const refused = await budgets.update(actor, id, { notes: "Third" }, { expectedVersion: 1 });
    expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "stale" });
    expect((await budgets.update(actor, id, { notes: "Third" }, { expectedVersion: 2 })).isOk()).toBe(true);
    expect((await budgets.update(actor, id, { notes: "Fourth" }, { expectedVersion: null })).isOk()).toBe(true);
  });

  it("answers for an unknown budget and for another business's alike", async () => {
    const { budgets, actor, id } = await worldWith();
    const other = { ...actor, businessId: "2" };
    for (const [who, which] of [
      [actor, "999"],
      [actor, "abc"],
      [other, id],
    ] as const) {
      const refused = (await budgets.update(who, which, { notes: "x" }))._unsafeUnwrapErr();
      expect(refused).toMatchObject({ kind: "not-found", resource: "budget", id: which });
    }
  });

  it("holds to strict references for new items", async () => {
    const world = budgetWorld({ references: "strict" });
    await world.store.commit(recordCommit("customer", aCustomer({ id: "c" }), "absent"));
    const items = [{ description: "x", quantity: 1, unitPrice: 1 }];
    const { id } = (await world.budgets.create(world.actor, { customerId: "c", items }))._unsafeUnwrap();
    const unknown = [{ ...items[0], description: "y", quantity: 1, unitPrice: 1, productId: "p-404" }];
    const refused = (await world.budgets.update(world.actor, id, { items: unknown }))._unsafeUnwrapErr();
    expect(refused).toMatchObject({ rule: "UNKNOWN_REFERENCE" });
  });

  it("decides again after a lost race, so that neither change is lost", async () => {
    const { budgets, actor, id } = await worldWith();
    const writers = Array.from({ length: 8 }, (_, index) =>
      budgets.update(actor, id, index % 2 === 0 ? { notes: `n${index}` } : { metadata: { [`m${index}`]: index } }),
    );
    expect((await Promise.all(writers)).every((result) => result.isOk())).toBe(true);
    expect((await budgets.get(actor, id))._unsafeUnwrap().version).toBe(9);
  });

  it("gives up with a conflict when others never stop coming between", async () => {
    const { actor, id, store } = await worldWith();
    const { budgets } = budgetWorld({ store: { ...store, commit: async () => ({ kind: "refused", by: "stale" }) } });
    expect((await budgets.update(actor, id, { notes: "x" }))._unsafeUnwrapErr()).toMatchObject({ kind: "conflict" });
  });

  it("declines when another request took its idempotency key over", async () => {
    const { budgets, actor, id, lostClaim } = await worldWith();
    const refused = await budgets.update(actor, id, { notes: "x" }, { claim: lostClaim });
    expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "conflict" });
  });
});

describe("the moves with an operation of their own", () => {
  it("lead from a draft to the archive, each as an update event", async () => {
    const { budgets, actor, id, events } = await worldWith({ draft: true });
    expect((await budgets.submit(actor, id))._unsafeUnwrap().status).toBe("PENDING");
    expect((await budgets.withdraw(actor, id))._unsafeUnwrap().status).toBe("DRAFT");
    await budgets.submit(actor, id);
    await budgets.update(actor, id, { status: "APPROVED" });
    expect((await budgets.complete(actor, id))._unsafeUnwrap().status).toBe("COMPLETED");
    expect((await budgets.archive(actor, id))._unsafeUnwrap()).toMatchObject({
      status: "ARCHIVED",
      approvedBy: "key:12",
    });
    const types = typesOf(await events());
    expect(types.filter((type) => type === "budget.updated")).toHaveLength(5);
  });

  it("are refused from anywhere else", async () => {
    const { budgets, actor, id } = await worldWith();
    const refused = [
      await budgets.submit(actor, id),
      await budgets.complete(actor, id),
      await budgets.archive(actor, id),
      await budgets.reopen(actor, id, { reason: "?" }),
      await budgets.restore(actor, id),
    ].map((result) => result._unsafeUnwrapErr());
    expect(refused).toMatchObject(Array(5).fill({ rule: "INVALID_TRANSITION", details: { from: "PENDING" } }));
  });

  it("reopen an approved budget with a reason, taking the approval back", async () => {
    const { budgets, actor, id, events } = await worldWith();
    await budgets.update(actor, id, { status: "APPROVED" });
    const reopened = (await budgets.reopen(actor, id, { reason: "Wrong colour" }))._unsafeUnwrap();
    expect(reopened).toMatchObject({ status: "PENDING", approvedAt: null, approvedBy: null });
    expect((await events())[2]).toMatchObject({ type: "budget.updated", change: { reason: "Wrong colour" } });
    expect((await budgets.reopen(actor, id, { reason: "" }))._unsafeUnwrapErr()).toMatchObject({ kind: "invalid" });
  });

  it("reopen one whose validity has passed only with a new date", async () => {
    const { budgets, actor, id, clock, events } = await worldWith({ validUntil: "2026-03-03" });
    await budgets.update(actor, id, { status: "APPROVED" });
    clock.set("2026-03-10T00:00:00Z");
    expect((await budgets.reopen(actor, id, { reason: "r" }))._unsafeUnwrapErr()).toMatchObject({
      rule: "VALIDITY_IN_THE_PAST",
    });
    const reopened = await budgets.reopen(actor, id, { reason: "r", validUntil: "2026-03-20" });
    expect(reopened._unsafeUnwrap().status).toBe("PENDING");
    expect((await events())[2]?.change.fields).toEqual(["validUntil", "status"]);
  });
});

describe("deleting and restoring", () => {
  it("hides the budget until it is restored to where it was", async () => {
    const { budgets, actor, id, clock, events } = await worldWith();
    await budgets.update(actor, id, { status: "REJECTED" });
    clock.advance(1_000);
    const deleted = (await budgets.delete(actor, id))._unsafeUnwrap();
    expect(deleted).toEqual({ id, status: "DELETED", deletedAt: "2026-03-02T12:00:01.000Z" });
    const gone = [await budgets.get(actor, id), await budgets.delete(actor, id), await budgets.update(actor, id, {})];
    expect(gone.map((result) => result.isErr() && result.error.kind)).toEqual(Array(3).fill("not-found"));
    expect((await budgets.restore(actor, id))._unsafeUnwrap()).toMatchObject({ status: "REJECTED" });
    expect(typesOf(await events())).toEqual(["budget.created", "budget.rejected", "budget.deleted", "budget.updated"]);
  });

  it("restores to EXPIRED when the validity has passed", async () => {
    const { budgets, actor, id, clock, events } = await worldWith({ validUntil: "2026-03-03" });
    await budgets.delete(actor, id);
    clock.set("2026-03-10T00:00:00Z");
    expect((await budgets.restore(actor, id))._unsafeUnwrap().status).toBe("EXPIRED");
    expect(typesOf(await events()).slice(2)).toEqual(["budget.updated", "budget.expired"]);
  });

  it("restores a rejected budget as rejected, with any validity", async () => {
    const { budgets, actor, id, clock } = await worldWith({ validUntil: "2026-03-03" });
    await budgets.update(actor, id, { status: "REJECTED" });
    await budgets.delete(actor, id);
    clock.set("2026-03-10T00:00:00Z");
    expect((await budgets.restore(actor, id))._unsafeUnwrap().status).toBe("REJECTED");
  });

  it("restores to PENDING while the validity lasts", async () => {
    const { budgets, actor, id } = await worldWith({ validUntil: "2026-03-03" });
    await budgets.delete(actor, id);
    expect((await budgets.restore(actor, id))._unsafeUnwrap().status).toBe("PENDING");
  });
});

describe("any sequence of operations", () => {
  it("makes only the moves of the table, one version after the other, and totals always sum up", async () => {
    const command = fc.record({
      name: fc.constantFrom(
        "PENDING",
        "APPROVED",
        "REJECTED",
        "EXPIRED",
        "submit",
        "withdraw",
        "reopen",
        "complete",
        "archive",
        "delete",
        "restore",
        "edit",
        "wait",
      ),
      amount: fc.integer({ min: 0, max: 300 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 25 }), async (commands) => {
        const { budgets, actor, id, clock, events, store } = await worldWith({ validUntil: "2026-03-04" });
        for (const { name, amount } of commands) {
          const before = await store.findBudget("1", id);
          if (name === "wait") clock.advance(amount * 60_000);
          else if (name === "edit")
            await budgets.update(actor, id, { discountAmount: amount, validUntil: "2026-06-01" });
          else if (name === "reopen") await budgets.reopen(actor, id, { reason: "r" });
          else if (name === "PENDING" || name === "APPROVED" || name === "REJECTED" || name === "EXPIRED") {
            await budgets.update(actor, id, { status: name });
          } else await budgets[name](actor, id);
          const after = await store.findBudget("1", id);
          expect((after?.version ?? 0) - (before?.version ?? 0)).toBeLessThanOrEqual(2); // an expiry and the write
        }
        const budget = await store.findBudget("1", id);
        if (budget === null) throw new Error("the budget is gone");
        expect(budget.total).toBe(budget.subtotal - budget.discount + budget.tax);
        expect(budget.items.reduce((sum, item) => sum + item.tax, 0)).toBe(budget.tax);
        expect(budget.items.reduce((sum, item) => sum + item.discount, 0)).toBe(budget.discount);
        for (const { change, type } of await events()) {
          const isListed = TRANSITIONS.some((move) => move.from === change.from && move.to === change.to);
          const isStill = change.from === change.to || type === "budget.created";
          const isDeletion = change.from === "DELETED" || change.to === "DELETED";
          expect(isListed || isStill || isDeletion, `${type}: ${change.from} to ${change.to}`).toBe(true);
        }
      }),
      { numRuns: rounds({ small: 30, full: 200 }) },
    );
  });

  it("lets approval and expiry never both win", async () => {
    const { budgets, actor, id, clock, context, events } = await worldWith({ validUntil: "2026-03-03" });
    const { sweepOverdue } = await import("./lifecycle/expire-budgets.js");
    clock.set("2026-03-03T23:59:59.998Z");
    const approval = budgets.update(actor, id, { status: "APPROVED" });
    const sweep = sweepOverdue(context, clock.now() + 1);
    const [approved] = await Promise.all([approval, sweep]);
    const types = typesOf(await events()).slice(1);
    expect(types).toEqual(approved.isOk() ? ["budget.approved"] : ["budget.expired"]);
    const read: BudgetView = (await budgets.get(actor, id))._unsafeUnwrap();
    expect(read.status).toBe(approved.isOk() ? "APPROVED" : "EXPIRED");
  });
});
