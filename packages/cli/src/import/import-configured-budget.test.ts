import { type BudgetView, createBudgetService } from "@budgetkit/core";
import { insertBusinessCommit } from "@budgetkit/core/store";
import { aBusiness, FIXTURE_TIME, manualClock, memoryStore } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { jsonLines } from "../export/export-business.js";
import { importLines } from "./import-lines.js";

const HEADER = { format: 1, businessId: "1", businessName: "Norte" } as const;

async function world() {
  const store = memoryStore();
  await store.commit(insertBusinessCommit(aBusiness()));
  const service = createBudgetService({ store, secret: "s".repeat(32), clock: manualClock(FIXTURE_TIME) });
  return { store, service, actor: { kind: "system", businessId: "1" } as const };
}
type World = Awaited<ReturnType<typeof world>>;

async function exportOf(source: World): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of jsonLines(source, HEADER, ["budgets"])) lines.push(line);
  return lines;
}

/** The exported budgets without what an import assigns again. */
async function contentsOf(source: World) {
  const [, ...lines] = await exportOf(source);
  return lines.map((line) => {
    const { id: _, version, revision, createdBy, updatedAt, items, ...content }: BudgetView = JSON.parse(line).data;
    return { ...content, items: items.map(({ id: _, ...item }) => item) };
  });
}

async function importedFrom(source: World, target?: World): Promise<World> {
  return importedInto(target ?? (await world()), source);
}

async function importedInto(target: World, source: World): Promise<World> {
  const complaints: string[] = [];
  const given = (async function* (lines: readonly string[]) {
    yield* lines;
  })(await exportOf(source));
  await importLines(
    target,
    given,
    (_, why) => complaints.push(why),
    () => {},
    false,
  );
  expect(complaints).toEqual([]);
  return target;
}

const VAT = { id: "vat", name: "VAT", rate: 0.21, inclusive: true };
const TILES = {
  description: "Tiles",
  quantity: 20,
  unit: "m²",
  unitPrice: 35,
  quantityRange: { minimum: 20, maximum: 60, step: 0.5 },
  priceTiers: [{ from: 40, unitPrice: 30 }],
  unitCost: 18.5,
};

type Creation = Parameters<World["service"]["budgets"]["create"]>[1];

const KITCHEN: Creation = {
  customerId: "ana",
  taxes: [VAT, { id: "levy", rate: 0.01, on: ["vat"] }, { id: "retention", rate: 0.15, kind: "withholding" }],
  discountAmount: 33.33,
  deposit: { rate: 0.3 },
  items: [
    { kind: "choice", key: "worktop", description: "Worktop" },
    { description: "Oak", quantity: 1, unitPrice: 899.99, choice: "worktop", selected: true, discountRate: 0.05 },
    { description: "Granite", quantity: 1, unitPrice: 1_499, choice: "worktop" },
    TILES,
    { description: "Island", quantity: 1, unitPrice: 2_400, optional: true, taxes: [] },
    {
      description: "Maintenance",
      quantity: 1,
      unitPrice: 120,
      recurring: { interval: "year", intervalCount: 1, cycles: 3 },
    },
    { kind: "subtotal" },
  ],
};

const OFFER: Parameters<World["service"]["budgets"]["createPublic"]>[1] = {
  currency: "USD",
  issueDate: "2026-03-01",
  expirationDate: "2026-03-31",
  customerId: 42,
  sellerId: 7,
  minimumPaymentToConfirm: 1_210,
  subtotal: 1_000,
  total: 1_210,
  iva: 210,
  taxes: [{ ...VAT, inclusive: false }],
  items: [
    { quantity: 2, unitPrice: 500, unitCost: 210 },
    { quantity: 1, unitPrice: 90, optional: true },
  ],
};

describe("A configured budget that is exported and imported", () => {
  it("an exported and imported budget keeps its taxes, choices, tiers, later cycles, deposit and costs", async () => {
    const source = await world();
    (await source.service.budgets.create(source.actor, KITCHEN))._unsafeUnwrap();
    const [exported] = await contentsOf(source);
    expect(exported).toMatchObject({ discountAmount: 33.33, deposit: { rate: 0.3 }, cost: 370 });
    expect(await contentsOf(await importedFrom(source))).toEqual([exported]);
  });

  it("an exported and imported budget keeps what the customer has selected", async () => {
    const source = await world();
    const { id, items } = (await source.service.budgets.create(source.actor, KITCHEN))._unsafeUnwrap();
    const { publicToken } = (await source.service.budgets.createPublicLink(source.actor, id))._unsafeUnwrap();
    const idOf = (text: string) => items.find(({ description }) => description === text)?.id ?? "";
    const selection = [
      { itemId: idOf("Granite"), selected: true },
      { itemId: idOf("Tiles"), quantity: 44.5 },
    ];
    (await source.service.budgets.answerPublicLink(publicToken, "accept", { version: 2, selection }))._unsafeUnwrap();
    const paid = { amount: 1_000, reference: "deposit" };
    (await source.service.budgets.recordPayment(source.actor, id, paid))._unsafeUnwrap();
    const [exported] = await contentsOf(source);
    expect(exported?.status).toBe("APPROVED");
    expect(exported?.items.map((line) => ("selected" in line ? line.selected : null))).toContain(true);
    const [imported] = await contentsOf(await importedFrom(source));
    const {
      paid: _,
      balance,
      dueToConfirm,
      approvedBy,
      ...same
    } = exported ?? {
      ...{ paid: 0, balance: 0, dueToConfirm: 0, approvedBy: "" },
    };
    expect(imported).toMatchObject(same);
  });

  it("an imported line without taxes of its own does not get those that its product brings to new lines", async () => {
    const source = await world();
    const line = { productId: "oak", description: "Oak", quantity: 1, unitPrice: 100 };
    (
      await source.service.budgets.create(source.actor, { customerId: "ana", taxes: [VAT], items: [line] })
    )._unsafeUnwrap();
    const target = await world();
    (await target.service.products.create(target.actor, { id: "oak", name: "Oak", taxes: [] }))._unsafeUnwrap();
    const [exported] = await contentsOf(source);
    const [imported] = await contentsOf(await importedFrom(source, target));
    expect(imported).toMatchObject({ taxes: exported?.taxes, total: 100, tax: 17.36 });
  });

  it("an exported and imported public offer keeps taxes, later choices, a later discount and a later deposit", async () => {
    const source = await world();
    const { budgetId } = (await source.service.budgets.createPublic(source.actor, OFFER))._unsafeUnwrap();
    const [plain] = await contentsOf(source);
    expect(await contentsOf(await importedFrom(source))).toEqual([plain]);
    const id = String(budgetId);
    const [work, bench] = (await source.service.budgets.get(source.actor, id))._unsafeUnwrap().items;
    const items = [
      { kind: "choice", key: "seat", description: "Seat", minimum: 0 } as const,
      { id: work?.id },
      { id: bench?.id, choice: "seat", optional: null, selected: true },
    ];
    const change = { items, discountAmount: 12.5, deposit: { amount: 200 } };
    (await source.service.budgets.update(source.actor, id, change))._unsafeUnwrap();
    const [changed] = await contentsOf(source);
    expect(changed).toMatchObject({ subtotal: 1_090, discount: 12.5, deposit: { amount: 200 } });
    expect(await contentsOf(await importedFrom(source))).toEqual([changed]);
  });
});
