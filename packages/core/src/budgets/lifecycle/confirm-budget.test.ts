import { rounds } from "@budgetkit/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { budgetWorld } from "../../testing/budget-world.js";
import { replaceBudgetCommit } from "../budget-commits.js";

const offer = {
  currency: "ARS",
  issueDate: "2026-03-01",
  expirationDate: "2026-03-31",
  customerId: 42,
  sellerId: 7,
  minimumPaymentToConfirm: 100,
  subtotal: 200,
  total: 242,
  iva: 42,
  items: [{ quantity: 1, unitPrice: 200 }],
};

async function offered(minimumPaymentToConfirm = 100) {
  const world = budgetWorld();
  const { budgets, actor, clock } = world;
  const created = (await budgets.createPublic(actor, { ...offer, minimumPaymentToConfirm }))._unsafeUnwrap();
  const id = String(created.budgetId);
  const read = async () => (await budgets.get(actor, id))._unsafeUnwrap();
  const shown = async () => (await budgets.openPublicLink(created.publicToken))._unsafeUnwrap();
  const answer = async (kind: "accept" | "decline", reason?: string) =>
    budgets.answerPublicLink(created.publicToken, kind, { version: (await shown()).version, name: "Ana", reason });
  let payments = 0;
  const pay = (amount: number) => {
    payments += 1;
    return budgets.recordPayment(actor, id, { amount, reference: `payment ${payments}` });
  };
  /** What happened since the creation: the type of each event and its fields. */
  const eventNames = async () => (await world.events()).slice(1).map(({ type, change }) => `${type} ${change.fields}`);
  const accepted = async () => {
    (await answer("accept"))._unsafeUnwrap();
    clock.advance(60_000);
  };
  return { ...world, id, read, shown, answer, pay, eventNames, accepted };
}

describe("a budget that has to be paid in part", () => {
  it("waits after its acceptance, and is approved by the payment that reaches the minimum", async () => {
    const { read, answer, pay, eventNames, clock, events } = await offered();
    const shown = (await answer("accept", "Looks good"))._unsafeUnwrap();
    const acceptance = { acceptedAt: "2026-03-02T12:00:00.000Z", acceptedBy: "customer:Ana" };
    expect(shown).toMatchObject({ status: "PENDING", acceptance, availableActions: ["decline"], dueToConfirm: 100 });
    expect(await read()).toMatchObject({ status: "PENDING", acceptance, approvedAt: null, approvedBy: null, paid: 0 });
    clock.advance(60_000);
    await pay(99.99);
    expect(await read()).toMatchObject({ status: "PENDING", acceptance, paid: 99.99 });
    clock.advance(60_000);
    await pay(0.01);
    expect(await read()).toMatchObject({
      status: "APPROVED",
      paid: 100,
      acceptance: null,
      approvedAt: "2026-03-02T12:02:00.000Z",
      approvedBy: "customer:Ana",
    });
    expect(await eventNames()).toEqual([
      "budget.updated acceptance",
      "budget.updated paid",
      "budget.updated paid",
      "budget.approved status",
    ]);
    const [, waited, , counted, approved] = await events();
    expect(waited).toMatchObject({
      actor: "customer:Ana",
      change: { from: "PENDING", to: "PENDING", reason: "Looks good" },
    });
    expect(counted).toMatchObject({ data: { status: "PENDING" }, change: { from: "PENDING", to: "PENDING" } });
    expect(approved).toMatchObject({ actor: "key:12", data: { status: "APPROVED" }, change: { from: "PENDING" } });
    await pay(10);
    expect((await eventNames()).filter((event) => event.startsWith("budget.approved"))).toHaveLength(1);
  });

  it("is approved by its acceptance when enough was paid before", async () => {
    const { read, pay, answer, eventNames } = await offered();
    await pay(60);
    await pay(60);
    expect(await read()).toMatchObject({ status: "PENDING", paid: 120, acceptance: null });
    const shown = (await answer("accept"))._unsafeUnwrap();
    expect(shown).toMatchObject({ status: "APPROVED", paid: 120, dueToConfirm: null, availableActions: [] });
    expect(await read()).toMatchObject({ approvedBy: "customer:Ana", acceptance: null });
    expect(await eventNames()).toEqual(["budget.updated paid", "budget.updated paid", "budget.approved status"]);
  });

  it("is approved at once where nothing has to be paid", async () => {
    const { answer } = await offered(0);
    expect((await answer("accept"))._unsafeUnwrap()).toMatchObject({ status: "APPROVED", minimumPaymentToConfirm: 0 });
  });

  it("is approved at once where no minimum was ever named", async () => {
    const { budgets, actor } = budgetWorld();
    const items = [{ description: "Table", quantity: 1, unitPrice: 300 }];
    const { id } = (await budgets.create(actor, { customerId: "c", items }))._unsafeUnwrap();
    const { publicToken } = (await budgets.createPublicLink(actor, id))._unsafeUnwrap();
    expect((await budgets.openPublicLink(publicToken))._unsafeUnwrap()).toMatchObject({ dueToConfirm: null, paid: 0 });
    const accepted = await budgets.answerPublicLink(publicToken, "accept", { version: 2 });
    expect(accepted._unsafeUnwrap()).toMatchObject({ status: "APPROVED", acceptance: null });
  });

  it("shows the amount that is still due, in exact minor units", async () => {
    const { shown, pay } = await offered(100.1);
    expect(await shown()).toMatchObject({ paid: 0, dueToConfirm: 100.1, acceptance: null });
    await pay(50.05);
    expect(await shown()).toMatchObject({ paid: 50.05, dueToConfirm: 50.05 });
    await pay(60);
    expect(await shown()).toMatchObject({ paid: 110.05, dueToConfirm: 0 });
  });

  it("is accepted once", async () => {
    const { answer, accepted, read } = await offered();
    await accepted();
    expect((await answer("accept"))._unsafeUnwrapErr()).toMatchObject({ rule: "ALREADY_ACCEPTED" });
    expect((await read()).acceptance?.acceptedAt).toBe("2026-03-02T12:00:00.000Z");
  });

  it("may still be declined", async () => {
    const { answer, accepted, pay, read, eventNames } = await offered();
    await accepted();
    expect((await answer("decline", "Too dear"))._unsafeUnwrap()).toMatchObject({
      status: "REJECTED",
      acceptance: null,
    });
    await pay(100);
    expect(await read()).toMatchObject({ status: "REJECTED", paid: 100 });
    expect(await eventNames()).toEqual(["budget.updated acceptance", "budget.rejected status", "budget.updated paid"]);
  });

  it("can be approved by the business with any amount paid", async () => {
    const { budgets, actor, id, accepted, pay, read, eventNames } = await offered();
    await accepted();
    await budgets.update(actor, id, { status: "APPROVED" });
    expect(await read()).toMatchObject({ status: "APPROVED", approvedBy: "key:12", acceptance: null });
    await pay(100);
    expect(await read()).toMatchObject({ status: "APPROVED", approvedBy: "key:12" });
    expect(await eventNames()).toEqual(["budget.updated acceptance", "budget.approved status", "budget.updated paid"]);
  });

  it.each([
    ["notes", { notes: "Other terms" }],
    ["tax", { taxRate: 0.25 }],
    ["validUntil", { validUntil: "2026-04-30" }],
  ])("has to be accepted again when its %s changed", async (_, change) => {
    const { budgets, actor, id, accepted, pay, read, shown, answer, events } = await offered();
    await accepted();
    expect((await budgets.update(actor, id, change))._unsafeUnwrap().acceptance).toBe(null);
    const fields = (await events()).at(-1)?.change.fields;
    expect(fields?.at(-1)).toBe("acceptance");
    await pay(100);
    expect(await read()).toMatchObject({ status: "PENDING", paid: 100 });
    expect((await shown()).availableActions).toEqual(["accept", "decline", "requestChange"]);
    expect((await answer("accept"))._unsafeUnwrap().status).toBe("APPROVED");
  });

  it("stays accepted at a price that is only lower, and is approved by the one that leaves nothing due", async () => {
    const { budgets, actor, id, accepted, pay, read, shown, eventNames, clock, events } = await offered();
    await accepted();
    await pay(60);
    const rebate = { taxRate: 0.21, discountAmount: 10 };
    const cheaper = (await budgets.update(actor, id, rebate))._unsafeUnwrap();
    expect(cheaper).toMatchObject({ status: "PENDING", total: 229.9, acceptance: { acceptedBy: "customer:Ana" } });
    expect(await shown()).toMatchObject({ dueToConfirm: 40, minimumPaymentToConfirm: 100 });
    clock.advance(60_000);
    const closed = (await budgets.update(actor, id, { taxRate: 0, discountAmount: 140 }))._unsafeUnwrap();
    expect(closed).toMatchObject({
      status: "APPROVED",
      total: 60,
      paid: 60,
      acceptance: null,
      approvedAt: "2026-03-02T12:02:00.000Z",
      approvedBy: "customer:Ana",
      revision: 3,
      version: 5,
    });
    expect(await read()).toEqual(expect.objectContaining({ status: "APPROVED", version: 5 }));
    expect(await shown()).toMatchObject({ dueToConfirm: null, availableActions: [] });
    expect(await eventNames()).toEqual([
      "budget.updated acceptance",
      "budget.updated paid",
      "budget.updated items,taxRate,discount,tax",
      "budget.updated items,taxRate,discount,tax",
      "budget.approved status",
    ]);
    const [edited, approved] = (await events()).slice(-2);
    expect(edited).toMatchObject({
      data: { status: "PENDING", total: 60 },
      change: { from: "PENDING", to: "PENDING" },
    });
    expect(approved).toMatchObject({ actor: "key:12", data: { status: "APPROVED" }, change: { from: "PENDING" } });
    const { data } = (await budgets.listRevisions(actor, id))._unsafeUnwrap();
    expect(data.map(({ revision, status }) => [revision, status])).toEqual([
      [3, "APPROVED"],
      [2, "PENDING"],
      [1, "PENDING"],
    ]);
  });

  it.each([
    ["fewer pieces", { quantity: 0.5 }],
    ["another item", { description: "Pine table" }],
  ])("has to be accepted again for less money when it offers %s", async (_, change) => {
    const { budgets, actor, id, accepted, pay, read, eventNames } = await offered();
    await accepted();
    await pay(60);
    const items = (await read()).items.map((item) => ({ id: item.id, ...change }));
    const changed = (await budgets.update(actor, id, { items, taxRate: 0.2 }))._unsafeUnwrap();
    expect(changed).toMatchObject({ status: "PENDING", acceptance: null });
    expect((await eventNames()).at(-1)).toMatch(/acceptance$/);
  });

  it("cannot get a total below what is paid, by any edit", async () => {
    const { budgets, actor, id, pay, read } = await offered();
    await pay(60);
    const before = await read();
    for (const status of [undefined, "APPROVED"] as const) {
      const lower = await budgets.update(actor, id, { taxRate: 0, discountAmount: 140.01, status });
      expect(lower._unsafeUnwrapErr()).toMatchObject({
        rule: "PAYMENT_EXCEEDS_TOTAL",
        details: { total: 59.99, paid: 60, open: 0 },
      });
    }
    expect(await read()).toEqual(before);
    expect((await budgets.update(actor, id, { taxRate: 0, discountAmount: 140 })).isOk()).toBe(true);
  });

  it.each(["an edit", "a second acceptance"])("is approved by %s when its minimum was above the total", async (by) => {
    const { budgets, actor, id, store, shown, answer, pay, eventNames } = await offered();
    const made = await store.findBudget("1", id);
    if (made?.publicOffer === null || made?.publicOffer === undefined) throw new Error("no offer");
    const stuck = {
      ...made,
      version: 2,
      paid: made.total,
      publicOffer: { ...made.publicOffer, minimumPaymentToConfirm: 50_000 },
      acceptance: { acceptedAt: made.createdAt, acceptedBy: "customer:Ana" },
    };
    expect(await store.commit(replaceBudgetCommit(stuck, 1))).toMatchObject({ kind: "written" });
    expect(await shown()).toMatchObject({ dueToConfirm: 0, availableActions: ["accept", "decline"] });
    expect((await pay(1))._unsafeUnwrapErr()).toMatchObject({ rule: "PAYMENT_EXCEEDS_TOTAL" });
    const approved =
      by === "an edit" ? await budgets.update(actor, id, { metadata: { po: "7" } }) : await answer("accept");
    expect(approved._unsafeUnwrap()).toMatchObject({ status: "APPROVED", acceptance: null });
    expect((await eventNames()).at(-1)).toBe("budget.approved status");
  });

  it("stays accepted when nothing that the customer saw has changed", async () => {
    const { budgets, actor, id, accepted, pay, read, eventNames } = await offered();
    await accepted();
    const same = { status: "PENDING", notes: null, metadata: { po: "7" } } as const;
    expect((await budgets.update(actor, id, same))._unsafeUnwrap().acceptance).not.toBe(null);
    expect(await eventNames()).toEqual(["budget.updated acceptance", "budget.updated metadata"]);
    await pay(100);
    expect((await read()).status).toBe("APPROVED");
  });

  it.each(["withdraw", "REJECTED", "EXPIRED", "time"] as const)("is accepted no more after %s", async (by) => {
    const { budgets, actor, id, accepted, pay, read, clock } = await offered();
    await accepted();
    if (by === "withdraw") {
      expect((await budgets.withdraw(actor, id))._unsafeUnwrap().acceptance).toBe(null);
      await budgets.submit(actor, id);
    } else {
      if (by === "time") clock.set("2026-04-01T00:00:00Z");
      else await budgets.update(actor, id, { status: by });
      expect(await read()).toMatchObject({ status: by === "time" ? "EXPIRED" : by, acceptance: null });
      await budgets.update(actor, id, { status: "PENDING", validUntil: "2026-06-01" });
    }
    await pay(100);
    expect(await read()).toMatchObject({ status: "PENDING", acceptance: null, paid: 100 });
  });

  it("is not approved by a payment that comes after its validity", async () => {
    const { accepted, pay, read, clock, eventNames } = await offered();
    await accepted();
    clock.set("2026-04-01T00:00:00Z");
    await pay(100);
    expect(await read()).toMatchObject({ status: "EXPIRED", acceptance: null, paid: 100 });
    expect(await eventNames()).toEqual(["budget.updated acceptance", "budget.expired status", "budget.updated paid"]);
  });

  it("needs another acceptance after it is reopened, and is approved again", async () => {
    const { budgets, actor, id, accepted, answer, pay, read, eventNames } = await offered();
    await accepted();
    await pay(100);
    await budgets.reopen(actor, id, { reason: "The price was wrong" });
    expect(await read()).toMatchObject({ status: "PENDING", acceptance: null, approvedBy: null, paid: 100 });
    expect((await answer("accept"))._unsafeUnwrap().status).toBe("APPROVED");
    expect((await eventNames()).filter((event) => event.startsWith("budget.approved"))).toHaveLength(2);
  });

  it("comes back from deletion with its acceptance, unless it is overdue by then", async () => {
    const { budgets, actor, id, accepted, clock } = await offered();
    await accepted();
    await budgets.delete(actor, id);
    const restored = (await budgets.restore(actor, id))._unsafeUnwrap();
    expect(restored).toMatchObject({ status: "PENDING", acceptance: { acceptedBy: "customer:Ana" } });
    await budgets.delete(actor, id);
    clock.set("2026-04-01T00:00:00Z");
    expect((await budgets.restore(actor, id))._unsafeUnwrap()).toMatchObject({ status: "EXPIRED", acceptance: null });
  });

  it("is approved once when acceptance and payment meet", async () => {
    const { answer, pay, read, eventNames } = await offered();
    await Promise.all([answer("accept"), pay(60), pay(60)]);
    if ((await read()).status === "PENDING") await answer("accept"); // the version was another one by then
    expect(await read()).toMatchObject({ status: "APPROVED", paid: 120, acceptance: null });
    expect((await eventNames()).filter((event) => event.startsWith("budget.approved"))).toHaveLength(1);
  });
});

describe("any sequence of acceptances, payments and changes", () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ name: fc.constant("pay"), amount: fc.integer({ min: 1, max: 60 }) }) },
    { weight: 3, arbitrary: fc.record({ name: fc.constant("accept"), amount: fc.constant(0) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        name: fc.constantFrom(
          ...["decline", "edit", "price", "tag", "withdraw", "submit", "revise", "reopen", "approve", "wait"],
        ),
        amount: fc.integer({ min: 0, max: 9 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ name: fc.constantFrom("delete", "restore"), amount: fc.constant(0) }) },
  );

  it("pays what was recorded, never above the total, approves once an approval, and by the link never before it is due", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 15 }), async (rounds) => {
        const { budgets, actor, id, clock, store, events, answer, pay } = await offered();
        let recorded = 0;
        const run = async ({ name, amount }: { name: string; amount: number }) => {
          if (name === "pay") {
            const payment = await pay(amount);
            if (payment.isOk()) recorded += amount * 100;
          } else if (name === "accept" || name === "decline") {
            if ((await store.findBudget("1", id))?.deletion === null) await answer(name).catch(() => {}); // a draft has no link
          } else if (name === "edit") await budgets.update(actor, id, { notes: `Notes ${amount}` });
          else if (name === "price") await budgets.update(actor, id, { taxRate: 0, discountAmount: amount * 20 });
          else if (name === "tag") await budgets.update(actor, id, { metadata: { tag: amount } });
          else if (name === "withdraw") await budgets.withdraw(actor, id);
          else if (name === "submit") await budgets.submit(actor, id);
          else if (name === "revise") await budgets.update(actor, id, { status: "PENDING", validUntil: "2026-12-01" });
          else if (name === "reopen") await budgets.reopen(actor, id, { reason: "r" });
          else if (name === "approve") await budgets.update(actor, id, { status: "APPROVED" });
          else if (name === "wait") clock.advance(amount * 86_400_000);
          else if (name === "delete") await budgets.delete(actor, id);
          else await budgets.restore(actor, id);
        };
        for (const round of rounds) {
          await Promise.all(round.map(run));
          const budget = await store.findBudget("1", id);
          if (budget === null) throw new Error("the budget is gone");
          expect(budget.paid).toBe(recorded);
          const { entries } = await store.listPayments("1", id, 1_000, 0);
          expect(entries.reduce((sum, payment) => sum + payment.amount, 0)).toBe(recorded);
          expect(budget.paid, "paid above the total").toBeLessThanOrEqual(budget.total);
          const isDue = budget.paid < Math.min(10_000, budget.total);
          const waits = budget.acceptance !== null;
          expect(waits && !isDue, "an acceptance that has nothing to wait for").toBe(false);
          expect(waits && (budget.deletion?.from ?? budget.status) !== "PENDING", "waits elsewhere").toBe(false);
          const isByLink = budget.approvedBy === "customer:Ana";
          expect(isByLink && isDue, "approved by the link before it was paid").toBe(false);
        }
        const moves = (await events()).filter(({ change }) => change.from !== change.to);
        const approvals = moves.filter(({ change }) => change.to === "APPROVED" && change.from === "PENDING");
        expect(approvals.map(({ type }) => type)).toEqual(approvals.map(() => "budget.approved"));
        expect((await events()).filter(({ type }) => type === "budget.approved")).toHaveLength(approvals.length);
        let status = "PENDING";
        for (const { change } of moves.slice(1)) {
          expect(change.from).toBe(status); // so each approval is of a budget that was waiting
          status = String(change.to);
        }
      }),
      { numRuns: rounds({ small: 40, full: 300 }) },
    );
  });
});
