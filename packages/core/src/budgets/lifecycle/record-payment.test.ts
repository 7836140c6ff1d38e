import { describe, expect, it, vi } from "vitest";
import { EMPTY_PROFILE } from "../../access/business.js";
import { budgetWorld } from "../../testing/budget-world.js";
import { MAX_PAYMENTS } from "../payment.js";

const transfer = { amount: 50, reference: "transfer 1" };

interface Offered {
  readonly draft?: boolean;
  readonly currency?: string;
  readonly validUntil?: string;
  readonly unitPrice?: number;
}

async function worldWith({ unitPrice = 300, ...input }: Offered = {}) {
  const world = budgetWorld();
  const items = [{ description: "Table", quantity: 1, unitPrice }];
  const { id } = (await world.budgets.create(world.actor, { customerId: "c", items, ...input }))._unsafeUnwrap();
  const pay = (payment: Partial<typeof transfer> & { paidAt?: string | null }) =>
    world.budgets.recordPayment(world.actor, id, { ...transfer, ...payment });
  const paid = async () => (await world.budgets.get(world.actor, id))._unsafeUnwrap().paid;
  return { ...world, id, pay, paid };
}

describe("recording a payment", () => {
  it("recording a payment adds it to the paid amount in one event, with the actor and the time", async () => {
    const { budgets, actor, id, pay, clock, events } = await worldWith();
    clock.advance(1_000);
    const payment = (await pay({ amount: 50.25, paidAt: "2026-03-01T10:00:00+02:00" }))._unsafeUnwrap();
    expect(payment).toEqual({
      id: expect.stringMatching(/^\d+$/),
      budgetId: id,
      reference: "transfer 1",
      amount: 50.25,
      currency: "USD",
      paidAt: "2026-03-01T08:00:00.000Z",
      createdAt: "2026-03-02T12:00:01.000Z",
      createdBy: "key:12",
    });
    await pay({ amount: 0.1, reference: "transfer 2" });
    const read = (await budgets.get(actor, id))._unsafeUnwrap();
    expect(read).toMatchObject({ paid: 50.35, status: "PENDING", acceptance: null, version: 3 });
    expect((await budgets.list(actor))._unsafeUnwrap().data[0]).toMatchObject({ paid: 50.35, acceptance: null });
    expect((await events())[1]).toMatchObject({
      type: "budget.updated",
      change: { fields: ["paid"], from: "PENDING", to: "PENDING" },
    });
  });

  it("reads a plain date as paidAt as the start of that day for the business, and no paidAt as now", async () => {
    const { budgets, actor } = budgetWorld({
      findBusiness: async () => ({ name: "N", timeZone: "America/Lima", profile: EMPTY_PROFILE }),
    });
    const items = [{ description: "Table", quantity: 1, unitPrice: 300 }];
    const { id } = (await budgets.create(actor, { customerId: "c", items }))._unsafeUnwrap();
    const onDay = await budgets.recordPayment(actor, id, { ...transfer, paidAt: "2026-03-02" });
    expect(onDay._unsafeUnwrap().paidAt).toBe("2026-03-02T05:00:00.000Z");
    const now = await budgets.recordPayment(actor, id, { amount: 1, reference: "cash", paidAt: null });
    expect(now._unsafeUnwrap().paidAt).toBe("2026-03-02T12:00:00.000Z");
  });

  it("records a payment once for a reference, and answers a repeat with the recorded payment", async () => {
    const { budgets, actor, id, pay, paid, clock, events } = await worldWith();
    const first = (await pay({ paidAt: "2026-03-01" }))._unsafeUnwrap();
    await budgets.update(actor, id, { notes: "Changed" });
    clock.advance(86_400_000);
    for (const again of [{}, { paidAt: null }, { paidAt: "2026-03-01" }, { paidAt: "2026-03-01T01:00:00+01:00" }]) {
      expect((await pay(again))._unsafeUnwrap()).toEqual(first);
    }
    expect(await paid()).toBe(50);
    expect(await events()).toHaveLength(3);
    await budgets.withdraw(actor, id);
    expect((await pay({}))._unsafeUnwrap()).toEqual(first);
  });

  it("refuses a reference that another payment has (CONFLICT)", async () => {
    const { pay, paid } = await worldWith();
    await pay({ paidAt: "2026-03-01" });
    for (const other of [{ amount: 50.01 }, { paidAt: "2026-03-02" }, { amount: 5, paidAt: "2026-03-01" }]) {
      expect((await pay(other))._unsafeUnwrapErr()).toMatchObject({
        kind: "conflict",
        details: { field: "reference" },
      });
    }
    expect(await paid()).toBe(50);
  });

  it("compares payment references exactly as written, within one budget", async () => {
    const { budgets, actor, pay, paid } = await worldWith();
    for (const reference of ["transfer 1", "Transfer 1", "transfer 1 ", "e\u0301", "é"]) {
      expect((await pay({ reference }))._unsafeUnwrap().reference).toBe(reference);
    }
    expect(await paid()).toBe(250);
    const items = [{ description: "Table", quantity: 1, unitPrice: 300 }];
    const other = (await budgets.create(actor, { customerId: "c", items }))._unsafeUnwrap();
    expect((await budgets.recordPayment(actor, other.id, { ...transfer, amount: 7 })).isOk()).toBe(true);
  });

  it.each([
    [{ amount: 0 }, "amount", "MIN_VALUE"],
    [{ amount: -1 }, "amount", "MIN_VALUE"],
    [{ amount: 0.001 }, "amount", "INVALID_FORMAT"],
    [{ amount: 0.0000001 }, "amount", "INVALID_FORMAT"],
    [{ amount: Number.NaN }, "amount", "INVALID_TYPE"],
    [{ reference: "" }, "reference", "MIN_LENGTH"],
    [{ reference: "r".repeat(256) }, "reference", "MAX_LENGTH"],
    [{ paidAt: "2026-02-30" }, "paidAt", "INVALID_FORMAT"],
    [{ paidAt: "yesterday" }, "paidAt", "INVALID_FORMAT"],
  ])("refuses to record a payment with %j", async (payment, field, code) => {
    const { pay, paid } = await worldWith();
    expect((await pay(payment))._unsafeUnwrapErr()).toMatchObject({ kind: "invalid", errors: [{ field, code }] });
    expect(await paid()).toBe(0);
  });

  it("refuses a payment in the future and accepts one of the present moment (PAID_IN_THE_FUTURE)", async () => {
    const { pay, paid } = await worldWith();
    for (const paidAt of ["2026-03-02T12:00:00.001Z", "2026-03-03"]) {
      expect((await pay({ paidAt }))._unsafeUnwrapErr()).toMatchObject({
        rule: "PAID_IN_THE_FUTURE",
        details: { field: "paidAt" },
      });
    }
    expect((await pay({ paidAt: "2026-03-02T12:00:00Z" })).isOk()).toBe(true);
    expect(await paid()).toBe(50);
  });

  it("a payment has at most as many decimals as its currency", async () => {
    const yen = await worldWith({ currency: "JPY" });
    expect((await yen.pay({ amount: 0.5 }))._unsafeUnwrapErr()).toMatchObject({ errors: [{ field: "amount" }] });
    const dinar = await worldWith({ currency: "BHD" });
    expect((await dinar.pay({ amount: 0.001 }))._unsafeUnwrap().amount).toBe(0.001);
    expect(await dinar.paid()).toBe(0.001);
  });

  it("refuses a payment above the open amount, with the figures (PAYMENT_EXCEEDS_TOTAL)", async () => {
    const { pay, paid } = await worldWith();
    await pay({ amount: 200 });
    expect((await pay({ amount: 100.01, reference: "transfer 2" }))._unsafeUnwrapErr()).toMatchObject({
      rule: "PAYMENT_EXCEEDS_TOTAL",
      details: { field: "amount", total: 300, paid: 200, open: 100 },
    });
    expect((await pay({ amount: 100, reference: "transfer 2" })).isOk()).toBe(true);
    expect((await pay({ amount: 0.01, reference: "transfer 3" }))._unsafeUnwrapErr()).toMatchObject({
      details: { open: 0 },
    });
    expect((await pay({ amount: 100, reference: "transfer 2" })).isOk()).toBe(true); // a repeated one is no payment
    expect(await paid()).toBe(300);
  });

  it("checks payments exactly up to the largest total (PAYMENT_EXCEEDS_TOTAL, AMOUNT_TOO_LARGE)", async () => {
    const max = Number.MAX_SAFE_INTEGER;
    const { pay, paid } = await worldWith({ currency: "JPY", unitPrice: max });
    expect((await pay({ amount: max + 1 }))._unsafeUnwrapErr()).toMatchObject({ rule: "AMOUNT_TOO_LARGE" });
    await pay({ amount: max - 1 });
    const beyond = (await pay({ amount: 2, reference: "transfer 2" }))._unsafeUnwrapErr();
    expect(beyond).toMatchObject({ rule: "PAYMENT_EXCEEDS_TOTAL", details: { open: 1 } });
    expect((await pay({ amount: 1, reference: "transfer 2" })).isOk()).toBe(true);
    expect(await paid()).toBe(max);
  });

  it("refuses one of two concurrent payments that together exceed the total (PAYMENT_EXCEEDS_TOTAL)", async () => {
    const { pay, paid } = await worldWith();
    const results = await Promise.all(["a", "b"].map((reference) => pay({ amount: 200, reference })));
    expect(results.filter((result) => result.isOk())).toHaveLength(1);
    expect(results.find((result) => result.isErr())?._unsafeUnwrapErr()).toMatchObject({
      rule: "PAYMENT_EXCEEDS_TOTAL",
      details: { open: 100 },
    });
    expect(await paid()).toBe(200);
  });

  it("refuses a payment of a draft (NOT_PAYABLE), and of a deleted or unknown budget (NOT_FOUND)", async () => {
    const { budgets, actor, id, pay } = await worldWith({ draft: true });
    expect((await pay({}))._unsafeUnwrapErr()).toMatchObject({ rule: "NOT_PAYABLE", details: { status: "DRAFT" } });
    await budgets.delete(actor, id);
    const stranger = { ...actor, businessId: "2" };
    const refused = [
      await pay({}),
      await budgets.recordPayment(actor, "999", transfer),
      await budgets.recordPayment(stranger, id, transfer),
      await budgets.listPayments(actor, id),
      await budgets.listPayments(stranger, id),
      await budgets.listPayments(actor, "999"),
    ];
    for (const result of refused) expect(result._unsafeUnwrapErr()).toMatchObject({ kind: "not-found" });
  });

  it("payments add up in every status except DRAFT and DELETED, and change no status", async () => {
    const { budgets, actor, id, pay, clock } = await worldWith({ validUntil: "2026-03-10" });
    const status = async (reference: string) => {
      expect((await pay({ reference })).isOk()).toBe(true);
      return (await budgets.get(actor, id))._unsafeUnwrap().status;
    };
    await budgets.update(actor, id, { status: "REJECTED" });
    expect(await status("rejected")).toBe("REJECTED");
    await budgets.update(actor, id, { status: "PENDING" });
    expect(await status("pending")).toBe("PENDING");
    clock.advance(30 * 86_400_000);
    expect(await status("expired, met by the payment itself")).toBe("EXPIRED");
    await budgets.update(actor, id, { status: "PENDING", validUntil: "2027-01-01" });
    await budgets.update(actor, id, { status: "APPROVED" });
    expect(await status("approved")).toBe("APPROVED");
    await budgets.complete(actor, id);
    expect(await status("completed")).toBe("COMPLETED");
    await budgets.archive(actor, id);
    expect(await status("archived")).toBe("ARCHIVED");
    await budgets.delete(actor, id);
    expect((await budgets.restore(actor, id))._unsafeUnwrap()).toMatchObject({ status: "ARCHIVED", paid: 300 });
  });

  it("a duplicate starts with nothing paid", async () => {
    const { budgets, actor, id, pay } = await worldWith();
    await pay({});
    const copy = (await budgets.duplicate(actor, id))._unsafeUnwrap();
    expect(copy).toMatchObject({ paid: 0, acceptance: null });
    expect((await budgets.listPayments(actor, copy.id))._unsafeUnwrap().data).toEqual([]);
  });

  it("refuses the payment after a thousand on one budget, and still recognises repeats (TOO_MANY_PAYMENTS)", async () => {
    const { pay, store, id, paid } = await worldWith();
    const counted = vi.spyOn(store, "countPayments").mockResolvedValue(MAX_PAYMENTS - 1);
    expect((await pay({})).isOk()).toBe(true);
    counted.mockResolvedValue(MAX_PAYMENTS);
    const refused = (await pay({ reference: "one more" }))._unsafeUnwrapErr();
    expect(refused).toMatchObject({ rule: "TOO_MANY_PAYMENTS", details: { limit: MAX_PAYMENTS } });
    expect(counted).toHaveBeenCalledWith("1", id);
    expect((await pay({})).isOk()).toBe(true);
    expect(await paid()).toBe(50);
  });

  it("counts each of 50 concurrent payments", async () => {
    const { pay, paid } = await worldWith({ unitPrice: 2_500 });
    const results = await Promise.all(Array.from({ length: 50 }, (_, index) => pay({ reference: `part ${index}` })));
    expect(results.every((result) => result.isOk())).toBe(true);
    expect(await paid()).toBe(2_500);
  });

  it("records one of 20 concurrent payments with the same reference, and returns it to all", async () => {
    const { pay, paid, events } = await worldWith();
    const results = await Promise.all(Array.from({ length: 20 }, () => pay({})));
    expect(new Set(results.map((result) => result._unsafeUnwrap().id)).size).toBe(1);
    expect(await paid()).toBe(50);
    expect(await events()).toHaveLength(2);
  });

  it("reads the payment again when the store has its reference in the meantime", async () => {
    const { pay, store, paid } = await worldWith();
    const find = vi.spyOn(store, "findPayment");
    await pay({});
    find.mockResolvedValueOnce(null);
    expect((await pay({})).isOk()).toBe(true);
    expect(find).toHaveBeenCalledTimes(3);
    expect(await paid()).toBe(50);
  });
});

describe("listing payments", () => {
  it("lists payments newest first, in pages", async () => {
    const { budgets, actor, id, pay, clock } = await worldWith();
    for (const reference of ["a", "b", "c"]) {
      await pay({ reference });
      clock.advance(1);
    }
    await pay({ reference: "of the same moment" });
    await pay({ reference: "and after it" });
    const page = (await budgets.listPayments(actor, id, { limit: 3 }))._unsafeUnwrap();
    expect(page.data.map(({ reference }) => reference)).toEqual(["and after it", "of the same moment", "c"]);
    expect(page.pagination).toMatchObject({ page: 1, limit: 3, total: 5, totalPages: 2, hasMore: true });
    const rest = (await budgets.listPayments(actor, id, { limit: 3, page: 2 }))._unsafeUnwrap();
    expect(rest.data.map(({ reference }) => reference)).toEqual(["b", "a"]);
    expect((await budgets.listPayments(actor, id, { limit: 0 })).isErr()).toBe(true);
  });
});
