import type { Budget } from "@budgetkit/client";
import { createBudgetService } from "@budgetkit/core";
import { manualClock, memoryStore } from "@budgetkit/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { type EditedBudget, withHead } from "../../packages/dashboard/app/screens/editor/document/edited-budget.js";
import { priced } from "../../packages/dashboard/app/screens/editor/document/figures.js";
import { blankBudget, editedBudgetOf } from "../../packages/dashboard/app/screens/editor/document/from-budget.js";
import {
  duplicateLine,
  moveLine,
  removeLine,
  setFields,
} from "../../packages/dashboard/app/screens/editor/document/line-operations.js";
import { unsavedBodyOf } from "../../packages/dashboard/app/screens/editor/document/previewable.js";
import { createBodyOf, updateBodyOf } from "../../packages/dashboard/app/screens/editor/document/to-body.js";
import { afterSaving, isDirty, stateOf } from "../../packages/dashboard/app/screens/editor/state/editor-state.js";

const ZONE = "America/Argentina/Buenos_Aires";

const KITCHEN = {
  customer: { name: "Ana Ruiz", email: "ana@example.com" },
  draft: true,
  currency: "ARS",
  validUntil: "2026-12-24",
  deposit: { rate: 0.305 },
  discountAmount: 1_000.5,
  notes: "With love.",
  taxes: [
    { id: "vat", name: "VAT", rate: 0.21, inclusive: true },
    { id: "low", name: "VAT", rate: 0.105, inclusive: true },
  ],
  items: [
    { kind: "heading" as const, description: "Furniture" },
    {
      description: "Cabinets",
      quantity: 1,
      unitPrice: 1_480_000,
      taxes: ["vat"],
      discountRate: 0.075,
      unitCost: 0.000001,
    },
    { kind: "choice" as const, key: "top", description: "Worktop", minimum: 0, maximum: 2 },
    {
      description: "Quartz\n20 mm",
      quantity: 3.2,
      unit: "m",
      unitPrice: 215_000,
      choice: "top",
      selected: true,
      taxes: [],
    },
    { description: "Oak", quantity: 3.2, unit: "m", unitPrice: 140_000.123456, choice: "top" },
    { kind: "subtotal" as const },
    { description: "Island", quantity: 1, unitPrice: 720_000, optional: true, discountAmount: 20 },
    {
      description: "Tiles",
      quantity: 28,
      unit: "m²",
      unitPrice: 24_000,
      quantityRange: { minimum: 20, maximum: 60, step: 0.5 },
      priceTiers: [{ from: 40, unitPrice: 21_500 }],
    },
    { kind: "text" as const, description: "Without appliances." },
    {
      description: "Care",
      quantity: 1,
      unitPrice: 95,
      recurring: { interval: "year" as const, intervalCount: 1, cycles: 3 },
    },
    {
      description: "Tiers alone",
      quantity: 3,
      priceTiers: [
        { from: 2, unitPrice: 9 },
        { from: 5, unitPrice: 8 },
      ],
    },
  ],
};

/** A value as the other side of the wire reads it. */
function asSent<T>(value: unknown): T {
  return JSON.parse(JSON.stringify(value));
}

async function aBusiness() {
  const service = createBudgetService({
    store: memoryStore(),
    clock: manualClock("2026-11-02T12:00:00Z"),
    secret: "a secret that is long enough for it",
  });
  onTestFinished(() => service.stop());
  const made = (await service.businesses.create({ name: "Roble", timeZone: ZONE }))._unsafeUnwrap();
  const actor = { kind: "system", businessId: made.id } as const;
  const { create, update, previewDocument } = service.budgets;
  return {
    create: async (body: unknown) =>
      asSent<Budget>((await create(actor, asSent<Parameters<typeof create>[1]>(body)))._unsafeUnwrap()),
    update: async (id: string, body: unknown) =>
      asSent<Budget>((await update(actor, id, asSent<Parameters<typeof update>[2]>(body)))._unsafeUnwrap()),
    preview: (body: unknown) =>
      previewDocument(actor, asSent<Parameters<typeof previewDocument>[1]>(body), { as: "page" }),
  };
}

const same = (key: string) => key;

/** The content of lines without their ids, which a copy has anew. */
const contentOf = ({ lines }: EditedBudget) =>
  lines.map(({ key, productId, variantId, packageId, ...content }) => content);

describe("a budget in the editor", () => {
  it("an edited budget is created again from what was read of it, line by line", async () => {
    const { create } = await aBusiness();
    const read = editedBudgetOf(await create(KITCHEN), ZONE);
    const copy = editedBudgetOf(await create(createBodyOf(read, true)), ZONE);
    expect(contentOf(copy)).toEqual(contentOf(read));
    expect(copy.head).toEqual(read.head);
    expect(read.head).toMatchObject({ validUntil: "2026-12-24", deposit: "30.5%", discount: "1000.5" });
  });

  it("updateBodyOf sends nothing of what was not changed", async () => {
    const { create } = await aBusiness();
    const read = editedBudgetOf(await create(KITCHEN), ZONE);
    expect(updateBodyOf(read, read, same)).toEqual({});
    const changed = withHead(read, { notes: "" });
    expect(updateBodyOf(changed, read, same)).toEqual({ notes: null });
  });

  it("an edited budget has the figures of the service, for every line", async () => {
    const { create } = await aBusiness();
    const budget = await create(KITCHEN);
    const read = editedBudgetOf(budget, ZONE);
    const { figures, lines, problems } = priced(read);
    expect(problems).toEqual([]);
    const { subtotal, tax, total, minimumPaymentToConfirm, margin } = budget;
    expect(figures).toMatchObject({ subtotal, tax, total, minimumPaymentToConfirm, margin });
    for (const line of budget.items) {
      if ("quantity" in line) expect(lines.get(line.id)).toMatchObject({ total: line.total, tax: line.tax });
    }
  });

  it("an edited budget is saved as it is, and keeps the ids of its lines", async () => {
    const { create, update } = await aBusiness();
    const budget = await create(KITCHEN);
    const read = editedBudgetOf(budget, ZONE);
    const keyOf = (index: number) => read.lines[index]?.key ?? "";
    let count = 0;
    const newKey = () => {
      count += 1;
      return `n${count}`;
    };
    const edits = [
      (now: EditedBudget) => setFields(now, keyOf(1), { discount: "", unitCost: "", unit: "pc", taxes: null }),
      (now: EditedBudget) => setFields(now, keyOf(7), { tiers: [], range: null, unitPrice: "21500" }),
      (now: EditedBudget) => setFields(now, keyOf(6), { optional: false, selected: false, discount: "5%" }),
      (now: EditedBudget) => setFields(now, keyOf(9), { recurring: null, tiers: [{ from: "2", unitPrice: "90" }] }),
      (now: EditedBudget) => setFields(now, keyOf(10), { unitPrice: "10" }),
      (now: EditedBudget) => removeLine(now, keyOf(2)),
      (now: EditedBudget) => moveLine(duplicateLine(now, keyOf(6), newKey), keyOf(9), -1),
      (now: EditedBudget) => withHead(now, { deposit: "100", discount: "", validUntil: "" }),
    ];
    const edited = edits.reduce((now, edit) => edit(now), read);
    expect(priced(edited).problems).toEqual([]);
    const answer = await update(budget.id, updateBodyOf(edited, read, same));
    const after = editedBudgetOf(answer, ZONE);
    expect(contentOf(after)).toEqual(contentOf(edited));
    expect(after.head).toEqual(edited.head);
    expect(answer.total).toBe(priced(edited).figures?.total);
    const kept = read.lines.filter(({ key }) => key !== keyOf(2)).map(({ key }) => key);
    expect(after.lines.map(({ key }) => key)).toEqual(expect.arrayContaining(kept));
  });

  it("an edited budget is not dirty once it is saved, and keeps the keys of lines that were made here", async () => {
    const { create, update } = await aBusiness();
    const budget = await create(KITCHEN);
    const state = stateOf(budget, ZONE);
    const edited = duplicateLine(state.history.present, state.history.present.lines[1]?.key ?? "", () => "n1");
    const before = { ...state, history: { ...state.history, present: edited } };
    expect(isDirty(before)).toBe(true);
    const answer = await update(budget.id, updateBodyOf(edited, state.saved.budget, same));
    const saved = afterSaving(before, edited, answer, ZONE);
    expect(isDirty(saved)).toBe(false);
    expect(saved.history.present.lines.map(({ key }) => key)).toEqual(edited.lines.map(({ key }) => key));
    expect(saved.saved.ids).toEqual({ n1: answer.items[2]?.id });
  });

  it("afterSaving keeps what was written meanwhile", async () => {
    const { create, update } = await aBusiness();
    const budget = await create(KITCHEN);
    const state = stateOf(budget, ZONE);
    const sent = withHead(state.history.present, { notes: "Sent." });
    const answer = await update(budget.id, updateBodyOf(sent, state.saved.budget, same));
    const typed = withHead(sent, { terms: "Typed meanwhile." });
    const saved = afterSaving({ ...state, history: { ...state.history, present: typed } }, sent, answer, ZONE);
    expect(saved.history.present.head).toMatchObject({ notes: "Sent.", terms: "Typed meanwhile." });
    expect(saved.saved.budget.head).toMatchObject({ notes: "Sent.", terms: "" });
    expect(isDirty(saved)).toBe(true);
  });

  it("an edited budget is shown without the lines and fields that are not right yet", async () => {
    const { create, preview } = await aBusiness();
    const budget = await create(KITCHEN);
    const read = editedBudgetOf(budget, ZONE);
    const wrong = withHead(
      setFields(setFields(read, read.lines[1]?.key ?? "", { unitPrice: "1,2,3" }), read.lines[2]?.key ?? "", {
        maximum: "x",
      }),
      {
        deposit: "a lot",
        paymentUrl: "http:",
      },
    );
    const body = unsavedBodyOf(wrong, priced(wrong).problems, { id: budget.id, lineId: same });
    const shown = new TextDecoder().decode((await preview(body ?? { items: [] }))._unsafeUnwrap().content);
    expect(shown).toContain("Quartz");
    expect(shown).not.toContain("Cabinets");
  });

  it("an edited budget has nothing to show before it has a line with a price", () => {
    const empty = blankBudget({ currency: "ARS" });
    expect(unsavedBodyOf(empty, priced(empty).problems, { id: null, lineId: () => null })).toBeNull();
  });
});
