import { type BudgetView, createBudgetService } from "@budgetkit/core";
import { insertBusinessCommit } from "@budgetkit/core/store";
import { aBusiness, FIXTURE_TIME, manualClock, memoryStore } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { jsonLines } from "../export/export-business.js";
import { importLines } from "./import-lines.js";

const OFFER = {
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
const UNTAXED = { ...OFFER, iva: 0, total: 200, minimumPaymentToConfirm: 200 };
const HEADER = { format: 1, businessId: "1", businessName: "Norte" } as const;

async function world() {
  const store = memoryStore();
  await store.commit(insertBusinessCommit(aBusiness()));
  const clock = manualClock(FIXTURE_TIME);
  const service = createBudgetService({ store, secret: "s".repeat(32), clock });
  const actor = { kind: "system", businessId: "1" } as const;
  return { store, clock, service, actor };
}
type World = Awaited<ReturnType<typeof world>>;
type Offer = Parameters<World["service"]["budgets"]["createPublic"]>[1];
type Change = (world: World, budget: BudgetView) => Promise<unknown>;

async function made(input: Offer, change: Change) {
  const source = await world();
  const { budgetId } = (await source.service.budgets.createPublic(source.actor, input))._unsafeUnwrap();
  const read = async () => (await source.service.budgets.get(source.actor, String(budgetId)))._unsafeUnwrap();
  const created = await read();
  await change(source, created);
  const changed = await read();
  expect(contentOf(changed)).not.toEqual(contentOf(created));
  const lines: string[] = [];
  for await (const line of jsonLines(source, HEADER, ["budgets"])) lines.push(line);
  return { changed, lines };
}

async function importedInto(target: World, lines: readonly string[]) {
  const complaints: string[] = [];
  const given = (async function* () {
    yield* lines;
  })();
  const complain = (_: number, why: string) => complaints.push(why);
  const summary = await importLines(target, given, complain, () => {}, false);
  expect(complaints).toEqual([]);
  const [entry] = (await target.service.budgets.list(target.actor))._unsafeUnwrap().data;
  return { summary, budget: (await target.service.budgets.get(target.actor, entry?.id ?? ""))._unsafeUnwrap() };
}

/** What an import keeps of a budget. */
function contentOf({ id: _, version, revision, createdBy, updatedAt, items, ...content }: BudgetView) {
  return { ...content, items: items.map(({ id: _, ...item }) => item) };
}

const update =
  (input: Parameters<World["service"]["budgets"]["update"]>[2]): Change =>
  async ({ service, actor }, { id }) =>
    (await service.budgets.update(actor, id, input))._unsafeUnwrap();

const named = { description: "Oak table", quantity: 1, unitPrice: 200 };

/** The item of an offer between lines of the other kinds. */
function lined(id: string | undefined): Parameters<World["service"]["budgets"]["update"]>[2]["items"] {
  return [{ kind: "heading", description: "Wood" }, { id }, { kind: "subtotal" }, { kind: "text", description: "Dry" }];
}

/** A business of a server that runs long after the offers have expired, and expires them as soon as they are there. */
async function laterWorld() {
  const late = await world();
  late.clock.set("2027-01-01T00:00:00Z");
  const { createPublic } = late.service.budgets;
  const createAndExpire: typeof createPublic = async (...args) => {
    const made = await createPublic(...args);
    await late.service.tick();
    return made;
  };
  return { ...late, service: { ...late.service, budgets: { ...late.service.budgets, createPublic: createAndExpire } } };
}

describe("an imported offer", () => {
  const changes: readonly [string, Offer, Change][] = [
    ["its metadata", OFFER, update({ metadata: { order: 7 } })],
    ["its descriptions", OFFER, (at, budget) => update({ items: [{ id: budget.items[0]?.id, ...named }] })(at, budget)],
    ["products with names as ids", UNTAXED, update({ items: [{ ...named, productId: "oak-1" }] })],
    ["lines of other kinds", OFFER, (at, budget) => update({ items: lined(budget.items[0]?.id) })(at, budget)],
    [
      "units and discounts of items",
      { ...OFFER, items: [{ quantity: 1, unitPrice: 250, unit: "day", discountRate: 0.2 }] },
      update({ metadata: { order: 9 } }),
    ],
    ["a later discount", UNTAXED, update({ discountAmount: 50.1 })],
    ["a later rate, and its minimum", OFFER, update({ taxRate: 0.1, discountAmount: 0.3 })],
    ["no end of its validity", OFFER, update({ validUntil: null })],
    ["an end before its issue", { ...OFFER, issueDate: "2026-03-30" }, update({ validUntil: "2026-03-20" })],
    ["its status of a draft", OFFER, ({ service, actor }, { id }) => service.budgets.withdraw(actor, id)],
    [
      "the status of a changed draft",
      OFFER,
      async (at, budget) => {
        await at.service.budgets.withdraw(at.actor, budget.id);
        await update({ metadata: { order: 8 } })(at, budget);
      },
    ],
  ];

  it.each(changes)("imports an offer with %s, the same after a second import", async (_, input, change) => {
    const { changed, lines } = await made(input, change);
    const target = await world();
    const first = await importedInto(target, lines);
    expect(first.summary).toMatchObject({ created: 1, refused: 0 });
    expect(contentOf(first.budget)).toEqual(contentOf(changed));
    const second = await importedInto(target, lines);
    expect(second.summary).toMatchObject({ created: 0, skipped: 1 });
    expect(second.budget).toEqual(first.budget);
  });

  it.each(changes)("imports an offer with %s, though it expires during the import", async (_, input, change) => {
    const { changed, lines } = await made(input, change);
    const target = await laterWorld();
    const { summary, budget } = await importedInto(target, lines);
    expect(summary).toMatchObject({ created: 1, refused: 0 });
    target.clock.set(FIXTURE_TIME);
    const found = (await target.service.budgets.get(target.actor, budget.id))._unsafeUnwrap();
    expect(contentOf(found)).toEqual(contentOf(changed));
    expect((await importedInto(target, lines)).budget).toEqual(found);
  });

  it("completes the import of an offer that an earlier one created", async () => {
    const { changed, lines } = await made(OFFER, update({ metadata: { order: 7 } }));
    const target = await world();
    const failing = { ...target.service.budgets, update: () => Promise.reject(new Error("the process was killed")) };
    const cutOff = { ...target, service: { ...target.service, budgets: failing } };
    await expect(importedInto(cutOff, lines)).rejects.toThrow("killed");
    expect(contentOf((await importedInto(target, lines)).budget)).toEqual(contentOf(changed));
  });
});
