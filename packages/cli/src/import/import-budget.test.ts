import { createBudgetService } from "@budgetkit/core";
import { insertBusinessCommit } from "@budgetkit/core/store";
import { aBusiness, FIXTURE_TIME, memoryStore } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { importBudget, importedId, importPayment } from "./import-budget.js";
import type { ImportedBudget } from "./import-line.js";
import type { ImportTarget } from "./import-record.js";

const SOURCE = "77";
const day = (number: number) => new Date(FIXTURE_TIME + number * 86_400_000).toISOString();

const exported: ImportedBudget = {
  id: "5003",
  customerId: "ana",
  status: "COMPLETED",
  currency: "USD",
  items: [{ description: "Oak table", quantity: 2, unitPrice: 450, total: 900 }],
  subtotal: 900,
  discount: 50,
  tax: 178.5,
  total: 1_028.5,
  taxRate: 0.21,
  notes: "Oak",
  validUntil: day(30),
  metadata: { order: 7 },
  createdAt: day(0),
  updatedAt: day(40),
  approvedAt: day(3),
};

const item = { description: "Oak table", quantity: 1, unitPrice: 450 };

async function aTarget() {
  const store = memoryStore();
  await store.commit(insertBusinessCommit(aBusiness()));
  const service = createBudgetService({ store, secret: "s".repeat(32) });
  const actor = { kind: "system", businessId: "1" } as const;
  const target: ImportTarget = { service, store, actor };
  const found = async () => {
    const id = (await importedId(target, SOURCE, exported.id)) ?? "";
    const budget = await service.budgets.get(actor, id);
    return budget.isOk() ? budget.value : null;
  };
  return { target, found, service, actor };
}

describe("a budget that is imported", () => {
  it("imports a budget with all that it had, at its moments", async () => {
    const { target, found } = await aTarget();
    expect(await importBudget(target, SOURCE, exported)).toEqual({ kind: "created" });
    const { id: _, items: __, updatedAt, ...same } = exported;
    expect(await found()).toMatchObject({ ...same, updatedAt, items: [exported.items[0]] });
  });

  it.each(["main", "public creation"])("imports the payment link of a budget of the shape %s", async (shape) => {
    const { target, found } = await aTarget();
    const paymentUrl = "https://pay.example/5003";
    const offer = { sellerId: "7", issueDate: day(0), minimumPaymentToConfirm: 0 };
    const ofShape = shape === "main" ? {} : { customerId: "42", publicOffer: offer };
    await importBudget(target, SOURCE, { ...exported, ...ofShape, paymentUrl });
    expect(await found()).toMatchObject({ status: "COMPLETED", paymentUrl });
  });

  it("imports a budget with its own number and terms or none, not those of the business", async () => {
    const { target, found, service, actor } = await aTarget();
    await service.businesses.update(actor, { numberPattern: "Q-{year}-{seq:4}", terms: "60 days" });
    await importBudget(target, SOURCE, { ...exported, number: "Q-2020-0041", terms: "30 days" });
    expect(await found()).toMatchObject({ status: "COMPLETED", number: "Q-2020-0041", terms: "30 days" });
    await importBudget(target, SOURCE, { ...exported, id: "5004", number: "Q-2026-0007", status: "DRAFT" });
    await importBudget(target, SOURCE, { ...exported, id: "5005" });
    const id = (await importedId(target, SOURCE, "5005")) ?? "";
    const plain = (await service.budgets.get(actor, id))._unsafeUnwrap();
    expect([plain.number, plain.terms]).toEqual([undefined, undefined]);
    const now = FIXTURE_TIME;
    const next = await service.budgets.create(actor, { customerId: "ana", items: [item] }, { now });
    expect(next._unsafeUnwrap()).toMatchObject({ number: "Q-2026-0008", terms: "60 days" });
    const taken = await importBudget(target, SOURCE, { ...exported, id: "5006", number: "Q-2026-0008" });
    expect(taken).toMatchObject({ kind: "refused", why: expect.stringContaining("has this number") });
  });

  it.each(["main", "public creation"])(
    "imports the lines of a budget of the shape %s without what the catalog would add",
    async (shape) => {
      const { target, found, service, actor } = await aTarget();
      const recurring = { interval: "month" as const };
      await service.businesses.update(actor, { taxes: [{ id: "iva", rate: 0.1, default: true }] });
      await service.products.create(actor, {
        id: "700",
        name: "Table",
        unit: "pieces",
        unitCost: 9,
        recurring,
        taxes: ["iva"],
      });
      const offer = { sellerId: "7", issueDate: day(0), minimumPaymentToConfirm: 0 };
      const ofShape = shape === "main" ? {} : { customerId: "42", publicOffer: offer };
      const items = exported.items.map((line) => ({ ...line, productId: "700" }));
      await importBudget(target, SOURCE, { ...exported, ...ofShape, items });
      const { taxRate, items: [line = {}] = [] } = (await found()) ?? {};
      expect([taxRate, "taxes" in line, "unit" in line, "unitCost" in line, "recurring" in line]).toEqual([
        0.21,
        ...[false, false, false, false],
      ]);
    },
  );

  it("imports a budget once, however often it is asked to", async () => {
    const { target, found, service, actor } = await aTarget();
    await importBudget(target, SOURCE, exported);
    const first = await found();
    expect(await importBudget(target, SOURCE, exported)).toEqual({ kind: "skipped" });
    expect(await found()).toEqual(first);
    const list = await service.budgets.list(actor);
    expect(list.isOk() && list.value.pagination.total).toBe(1);
  });

  it("tells an imported budget from another version, and from another business's", async () => {
    const { target } = await aTarget();
    await importBudget(target, SOURCE, exported);
    expect(await importBudget(target, SOURCE, { ...exported, notes: "Ash" })).toMatchObject({ kind: "conflict" });
    expect(await importBudget(target, "78", { ...exported, notes: "Ash" })).toEqual({ kind: "created" });
  });

  it("completes the import of a budget that an earlier one began", async () => {
    const { target, found, service } = await aTarget();
    const failing = { ...service.budgets, complete: () => Promise.reject(new Error("the process was killed")) };
    const cutOff = { ...target, service: { ...service, budgets: failing } };
    await expect(importBudget(cutOff, SOURCE, exported)).rejects.toThrow("killed");
    expect(await found()).toMatchObject({ status: "APPROVED" });
    await importBudget(target, SOURCE, exported);
    expect(await found()).toMatchObject({ status: "COMPLETED", updatedAt: exported.updatedAt });
  });

  it("leaves an imported budget alone when somebody has changed it since", async () => {
    const { target, found, service } = await aTarget();
    const draft: ImportedBudget = {
      ...exported,
      status: "REJECTED",
      approvedAt: null,
      validUntil: "2099-01-01T00:00:00.000Z",
    };
    await importBudget(target, SOURCE, draft);
    const user = { kind: "user", businessId: "1", id: "30", role: "OWNER", sessionId: null } as const;
    await service.budgets.update(user, (await found())?.id ?? "", { status: "PENDING" });
    expect(await importBudget(target, SOURCE, draft)).toEqual({ kind: "skipped" });
    expect(await found()).toMatchObject({ status: "PENDING" });
  });

  it("imports a budget that the service refused before it was mended", async () => {
    const { target } = await aTarget();
    const broken = { ...exported, total: 1 };
    expect(await importBudget(target, SOURCE, broken)).toMatchObject({
      kind: "refused",
      why: expect.stringContaining("TOTALS"),
    });
    expect(await importBudget(target, SOURCE, exported)).toEqual({ kind: "created" });
  });

  it("imports an offer of the public shape, its minimum payment at most the total", async () => {
    const { target, found } = await aTarget();
    const offer = { sellerId: "9", issueDate: day(0), minimumPaymentToConfirm: 100 };
    const given: ImportedBudget = {
      ...exported,
      status: "PENDING",
      customerId: "42",
      items: [{ description: "Item", quantity: 2, unitPrice: 450, total: 900 }],
      discount: 0,
      tax: 189,
      total: 1_089,
      taxRate: null,
      metadata: {},
      validUntil: "2099-01-01T00:00:00.000Z",
      approvedAt: null,
      publicOffer: offer,
    };
    expect(await importBudget(target, SOURCE, given)).toEqual({ kind: "created" });
    expect(await found()).toMatchObject({ publicOffer: offer, customerId: "42", total: 1_089, taxRate: null });
    const tooHigh = { ...given, publicOffer: { ...offer, minimumPaymentToConfirm: 5_000 } };
    expect(await importBudget(target, "78", tooHigh)).toEqual({ kind: "created" });
    const id = (await importedId(target, "78", exported.id)) ?? "";
    expect((await target.store.findBudget("1", id))?.publicOffer?.minimumPaymentToConfirm).toBe(108_900);
  });

  it("imports a payment once", async () => {
    const { target, found } = await aTarget();
    await importBudget(target, SOURCE, exported);
    const id = (await importedId(target, SOURCE, exported.id)) ?? "";
    const payment = { budgetId: exported.id, reference: "TR-1", amount: 500, paidAt: day(5), createdAt: day(6) };
    expect(await importPayment(target, id, payment)).toEqual({ kind: "created" });
    expect(await importPayment(target, id, payment)).toEqual({ kind: "skipped" });
    expect(await found()).toMatchObject({ paid: 500 });
  });
});
