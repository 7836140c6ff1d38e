import { describe, expect, it } from "vitest";
import { budgetWorld } from "../../testing/budget-world.js";
import type { CreateBudget } from "../create-budget.js";

const TABLE = { description: "Table", quantity: 1, unitPrice: 1_000 };
const BENCH = { description: "Bench", quantity: 1, unitPrice: 500, optional: true };
const WITHHOLDING = { id: "retention", rate: 0.15, kind: "withholding" } as const;

async function worldWith(content: Pick<CreateBudget, "deposit" | "taxes">) {
  const world = budgetWorld();
  const { actor, budgets } = world;
  const made = (await budgets.create(actor, { customerId: "ana", items: [TABLE, BENCH], ...content }))._unsafeUnwrap();
  const { id, items } = made;
  const { publicToken } = (await budgets.createPublicLink(actor, id))._unsafeUnwrap();
  const get = async () => (await budgets.get(actor, id))._unsafeUnwrap();
  const bench = { itemId: items[1]?.id ?? "", selected: true };
  const accept = async (selection: (typeof bench)[] = []) =>
    budgets.answerPublicLink(publicToken, "accept", { version: (await get()).version, name: "Ana", selection });
  const pay = (amount: number) => budgets.recordPayment(actor, id, { amount, reference: `${amount}` });
  const shown = async () => (await budgets.openPublicLink(publicToken))._unsafeUnwrap();
  return { ...world, id, get, bench, accept, pay, shown, publicToken };
}

describe("A deposit", () => {
  it("an acceptance waits until the deposit is paid, and the balance is what is left", async () => {
    const { get, accept, pay, shown } = await worldWith({ deposit: { rate: 0.3 } });
    expect(await get()).toMatchObject({ minimumPaymentToConfirm: 300, balance: 1_000 });
    (await accept())._unsafeUnwrap();
    expect(await get()).toMatchObject({ status: "PENDING", acceptance: { acceptedBy: "customer:Ana" } });
    (await pay(299.99))._unsafeUnwrap();
    expect(await shown()).toMatchObject({ status: "PENDING", dueToConfirm: 0.01, balance: 700.01 });
    (await pay(0.01))._unsafeUnwrap();
    expect(await get()).toMatchObject({ status: "APPROVED", balance: 700, approvedBy: "customer:Ana" });
  });

  it("an optional line that the customer selects raises the deposit of a rate", async () => {
    const { budgets, publicToken, get, bench, accept, pay } = await worldWith({ deposit: { rate: 0.3 } });
    (await pay(300))._unsafeUnwrap();
    const previewed = (await budgets.previewPublicLink(publicToken, { selection: [bench] }))._unsafeUnwrap();
    expect(previewed).toMatchObject({ total: 1_500, minimumPaymentToConfirm: 450, dueToConfirm: 150, balance: 1_200 });
    (await accept([bench]))._unsafeUnwrap();
    expect(await get()).toMatchObject({ status: "PENDING", total: 1_500, minimumPaymentToConfirm: 450 });
    (await pay(150))._unsafeUnwrap();
    expect(await get()).toMatchObject({ status: "APPROVED", paid: 450, balance: 1_050 });
  });

  it("an optional line that the customer selects leaves the deposit of an amount", async () => {
    const { get, bench, accept, pay } = await worldWith({ deposit: { amount: 200 } });
    (await pay(200))._unsafeUnwrap();
    (await accept([bench]))._unsafeUnwrap();
    expect(await get()).toMatchObject({ status: "APPROVED", minimumPaymentToConfirm: 200, balance: 1_300 });
  });

  it("refuses a payment above what is payable, where a part is withheld (PAYMENT_EXCEEDS_TOTAL)", async () => {
    const { get, pay } = await worldWith({ taxes: [{ id: "iva", rate: 0.21 }, WITHHOLDING], deposit: { rate: 1 } });
    expect(await get()).toMatchObject({ total: 1_210, withheld: 150, payable: 1_060, minimumPaymentToConfirm: 1_060 });
    expect((await pay(1_060.01))._unsafeUnwrapErr()).toMatchObject({
      rule: "PAYMENT_EXCEEDS_TOTAL",
      details: { total: 1_060, paid: 0, open: 1_060 },
    });
    (await pay(1_060))._unsafeUnwrap();
    expect(await get()).toMatchObject({ paid: 1_060, balance: 0 });
    expect((await pay(0.01))._unsafeUnwrapErr()).toMatchObject({ rule: "PAYMENT_EXCEEDS_TOTAL" });
  });

  it("refuses a deposit above what is payable (MINIMUM_ABOVE_TOTAL), unless the customer may raise it", async () => {
    const { budgets, actor } = budgetWorld();
    const create = (items: CreateBudget["items"], taxes: CreateBudget["taxes"] = null) =>
      budgets.create(actor, { customerId: "ana", items, taxes, deposit: { amount: 1_000 } });
    expect((await create([TABLE])).isOk()).toBe(true);
    expect((await create([TABLE], [WITHHOLDING]))._unsafeUnwrapErr()).toMatchObject({
      rule: "MINIMUM_ABOVE_TOTAL",
      details: { field: "deposit.amount", total: 850 },
    });
    const open = (await create([{ ...TABLE, unitPrice: 100 }, BENCH]))._unsafeUnwrap();
    expect(open).toMatchObject({ deposit: { amount: 1_000 }, minimumPaymentToConfirm: 100 });
  });

  it("another selection does not change an acceptance that waits for its deposit (ALREADY_ACCEPTED)", async () => {
    const { get, bench, accept, pay } = await worldWith({ deposit: { rate: 0.3 } });
    (await accept([bench]))._unsafeUnwrap();
    (await pay(300))._unsafeUnwrap();
    const smaller = await accept([{ ...bench, selected: false }]); // its deposit of 300 is paid
    expect(smaller._unsafeUnwrapErr()).toMatchObject({ kind: "rule", rule: "ALREADY_ACCEPTED" });
    expect(await get()).toMatchObject({ status: "PENDING", total: 1_500, acceptance: { acceptedBy: "customer:Ana" } });
    (await pay(150))._unsafeUnwrap();
    expect(await get()).toMatchObject({ status: "APPROVED", total: 1_500 });
  });

  it("other terms end an acceptance that waits", async () => {
    const { budgets, actor, id, get, accept } = await worldWith({ deposit: { rate: 0.3 } });
    (await accept())._unsafeUnwrap();
    (await budgets.update(actor, id, { terms: "Without any warranty." }))._unsafeUnwrap();
    expect(await get()).toMatchObject({ status: "PENDING", acceptance: null });
  });

  it("a higher deposit ends an acceptance that waits", async () => {
    const { budgets, actor, id, get, accept } = await worldWith({ deposit: { rate: 0.3 } });
    (await accept())._unsafeUnwrap();
    (await budgets.update(actor, id, { deposit: { rate: 0.4 } }))._unsafeUnwrap();
    expect(await get()).toMatchObject({ status: "PENDING", acceptance: null, minimumPaymentToConfirm: 400 });
  });

  it("a lower deposit keeps it, and none at all approves the budget", async () => {
    const { budgets, actor, id, get, accept } = await worldWith({ deposit: { rate: 0.3 } });
    (await accept())._unsafeUnwrap();
    (await budgets.update(actor, id, { deposit: { amount: 100 } }))._unsafeUnwrap();
    expect(await get()).toMatchObject({ status: "PENDING", acceptance: { acceptedBy: "customer:Ana" } });
    (await budgets.update(actor, id, { deposit: null }))._unsafeUnwrap();
    const after = await get();
    expect(after).not.toHaveProperty("deposit");
    expect(after).not.toHaveProperty("balance");
    expect(after).toMatchObject({ status: "APPROVED", approvedBy: "customer:Ana" });
  });
});
