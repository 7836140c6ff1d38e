import { rounds } from "@budgetkit/testing";
import { Decimal as Oracle } from "decimal.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TraceStep } from "../pricing/trace-schema.js";
import { budgetWorld } from "../testing/budget-world.js";
import { itemsOf } from "../testing/items-of.js";

const Exact = Oracle.clone({ precision: 120, toExpNeg: -9e15, toExpPos: 9e15 });

const PLACES = { JPY: 0, USD: 2, BHD: 3, CLF: 4 } as const;

const currency = fc.constantFrom("JPY" as const, "USD" as const, "BHD" as const, "CLF" as const);
const decimals = (max: number) =>
  fc
    .tuple(fc.integer({ min: 1, max }), fc.integer({ min: 0, max: 6 }))
    .map(([digits, places]) => digits / 10 ** places);
/** Small enough for wire numbers to distinguish the minor units of all these currencies. */
const line = fc.record({
  description: fc.constant("Work"),
  quantity: decimals(10_000),
  unitPrice: fc.oneof(fc.constant(0), decimals(1_000_000)),
});
const ownDiscount = fc.integer({ min: 0, max: 10_000 }).map((rate) => rate / 10_000);
const lines = fc.oneof(
  { arbitrary: line, weight: 3 },
  fc.tuple(line, ownDiscount).map(([item, discountRate]) => ({ ...item, unit: "h", discountRate })),
  fc.tuple(line, fc.integer({ min: 0, max: 20 })).map(([item, discountAmount]) => ({ ...item, discountAmount })),
  fc.constantFrom(
    { kind: "heading" as const, description: "Kitchen" },
    { kind: "text" as const, description: "Dry" },
    { kind: "subtotal" as const },
  ),
);
const input = fc.record({
  currency,
  items: fc.array(lines, { minLength: 1, maxLength: 12 }),
  taxRate: fc.integer({ min: 0, max: 10_000 }).map((rate) => rate / 10_000),
  discountAmount: fc.integer({ min: 0, max: 5_000 }),
});

/** A number of the wire with all its places: by its shortest decimal, which `toFixed` does not go by. */
function written(amount: number, places: number): string {
  return new Exact(String(amount)).toFixed(places);
}

/** Does a step again with an independent library. */
function recompute(step: TraceStep, places: number): void {
  const exact = (text: string) => new Exact(text);
  const rounded = (value: Oracle, rule: string) =>
    value.toDecimalPlaces(places, rule === "half-up" ? Exact.ROUND_HALF_UP : Exact.ROUND_HALF_EVEN).toFixed(places);
  switch (step.step) {
    case "line":
      expect(exact(step.quantity).times(step.unitPrice).equals(step.exact)).toBe(true);
      expect(rounded(exact(step.exact), step.rule)).toBe(step.rounded);
      break;
    case "item-discount":
      expect(exact(step.gross).minus(step.discount).toFixed(places)).toBe(step.total);
      if (step.exact === undefined) break;
      expect(
        exact(step.gross)
          .times(step.discountRate ?? 0)
          .equals(step.exact),
      ).toBe(true);
      expect(rounded(exact(step.exact), step.rule ?? "")).toBe(step.discount);
      break;
    case "taxable":
      expect(exact(step.subtotal).minus(step.discount).toFixed(places)).toBe(step.taxable);
      break;
    case "tax":
      expect(exact(step.taxable).times(step.taxRate).equals(step.exact)).toBe(true);
      expect(rounded(exact(step.exact), step.rule)).toBe(step.rounded);
      break;
    case "total":
      expect(exact(step.taxable).plus(step.tax).toFixed(places)).toBe(step.total);
      break;
    case "spread":
      recomputeAllocation(step, places);
      break;
    default:
      break;
  }
}

function recomputeAllocation(step: Extract<TraceStep, { step: "spread" }>, places: number): void {
  const unit = new Exact(10).pow(-places);
  const parts = step.shares.map(({ weight }) => new Exact(step.amount).times(weight).div(step.sum).div(unit));
  const floors = parts.map((part) => part.floor());
  const left = new Exact(step.amount).div(unit).minus(floors.reduce((sum, each) => sum.plus(each), new Exact(0)));
  const lucky = new Set(
    step.shares
      .map(({ item, exact }) => ({ item, part: Number(/ (\d+)\//.exec(exact)?.[1]) })) // numerators over one divisor
      .sort((a, b) => b.part - a.part || a.item - b.item)
      .slice(0, left.toNumber())
      .map(({ item }) => item),
  );
  step.shares.forEach((share, index) => {
    const [whole = "", numerator = "", divisor = ""] = share.exact.split(/ \+ |\//);
    const part = new Exact(numerator).div(divisor).plus(whole);
    expect(
      part
        .minus(parts[index] ?? 0)
        .abs()
        .lt("1e-60"),
    ).toBe(true);
    expect(share.roundedDown).toBe((floors[index] ?? new Exact(0)).times(unit).toFixed(places));
    expect(share.extraUnit).toBe(lucky.has(share.item));
    expect(share.share).toBe(new Exact(share.roundedDown).plus(share.extraUnit ? unit : 0).toFixed(places));
  });
}

describe("previewing a budget", () => {
  it("a preview has the figures of the creation, and steps that add up by hand", async () => {
    await fc.assert(
      fc.asyncProperty(input, fc.constantFrom("half-up" as const, "half-even" as const), async (body, rounding) => {
        const { budgets, actor } = budgetWorld({ rounding });
        const preview = await budgets.preview(actor, body);
        const created = await budgets.create(actor, { ...body, customerId: "c-1" });
        if (created.isErr()) {
          expect(preview._unsafeUnwrapErr()).toMatchObject(created.error);
          return;
        }
        const { trace, ...figures } = preview._unsafeUnwrap();
        expect(created.value).toMatchObject(figures);
        const places = PLACES[body.currency];
        for (const step of trace) recompute(step, places);
        for (const [index, line] of figures.items.entries()) {
          const settled = trace.filter((step) => "item" in step && step.item === index).at(-1);
          const total = "total" in line ? written(line.total, places) : undefined;
          const last = settled?.step === "line" ? settled.rounded : Object(settled).total;
          expect(last).toBe(total);
        }
        expect(trace.find((step) => step.step === "total")).toMatchObject({ total: written(figures.total, places) });
      }),
      { numRuns: rounds({ small: 60, full: 500 }) },
    );
  });

  it("a preview lists every calculation step in order, exactly", async () => {
    const { budgets, actor } = budgetWorld();
    const preview = await budgets.preview(actor, {
      items: [
        { description: "Hours", quantity: 1.5, unitPrice: 10.33 },
        { description: "Travel", quantity: 1, unitPrice: 20 },
      ],
      taxRate: 0.21,
      discountAmount: 5,
    });
    expect(preview._unsafeUnwrap().trace).toEqual([
      {
        step: "line",
        item: 0,
        quantity: "1.5",
        unitPrice: "10.33",
        exact: "15.495",
        rounded: "15.50",
        rule: "half-up",
      },
      { step: "line", item: 1, quantity: "1", unitPrice: "20", exact: "20", rounded: "20.00", rule: "half-up" },
      { step: "subtotal", subtotal: "35.50" },
      { step: "taxable", subtotal: "35.50", discount: "5.00", taxable: "30.50" },
      { step: "tax", taxable: "30.50", taxRate: "0.21", exact: "6.405", rounded: "6.41", rule: "half-up" },
      { step: "total", taxable: "30.50", tax: "6.41", total: "36.91" },
      {
        step: "spread",
        of: "discount",
        amount: "5.00",
        sum: "35.50",
        rule: "largest-remainder",
        shares: [
          { item: 0, weight: "15.50", exact: "218 + 1100/3550", roundedDown: "2.18", extraUnit: false, share: "2.18" },
          { item: 1, weight: "20.00", exact: "281 + 2450/3550", roundedDown: "2.81", extraUnit: true, share: "2.82" },
        ],
      },
      {
        step: "spread",
        of: "tax",
        amount: "6.41",
        sum: "30.50",
        rule: "largest-remainder",
        shares: [
          { item: 0, weight: "13.32", exact: "279 + 2862/3050", roundedDown: "2.79", extraUnit: true, share: "2.80" },
          { item: 1, weight: "17.18", exact: "361 + 188/3050", roundedDown: "3.61", extraUnit: false, share: "3.61" },
        ],
      },
    ]);
  });

  it("a preview lists the client's figures that replace computed ones", async () => {
    const { budgets, actor } = budgetWorld();
    const free = { description: "Gift", quantity: 1, unitPrice: 0 };
    const preview = await budgets.preview(actor, { items: [{ ...free, total: 0.01 }, free], tax: 0.02 });
    const { trace, ...figures } = preview._unsafeUnwrap();
    expect(trace.filter(({ step }) => step === "given")).toEqual([
      { step: "given", field: "items[0].total", computed: "0.00", given: "0.01" },
      { step: "given", field: "tax", computed: "0.00", given: "0.02" },
    ]);
    expect(itemsOf(figures).map(({ tax }) => tax)).toEqual([0.02, 0]);
  });

  it("a preview assigns a tax to the first item when all items are free", async () => {
    const { budgets, actor } = budgetWorld();
    const free = { description: "Gift", quantity: 1, unitPrice: 0 };
    const { trace } = (await budgets.preview(actor, { items: [free, free], tax: 0.01 }))._unsafeUnwrap();
    expect(trace.at(-1)).toEqual({
      step: "spread",
      of: "tax",
      amount: "0.01",
      sum: "0.00",
      rule: "largest-remainder",
      shares: [
        { item: 0, weight: "0.00", exact: "0", roundedDown: "0.00", extraUnit: false, share: "0.01" },
        { item: 1, weight: "0.00", exact: "0", roundedDown: "0.00", extraUnit: false, share: "0.00" },
      ],
    });
  });

  it("a preview stores nothing, uses no id and makes no event", async () => {
    const { budgets, actor, context, events, announced } = budgetWorld();
    const items = [{ description: "Work", quantity: 1, unitPrice: 1 }];
    const before = Number(await context.ids.next(actor.businessId));
    (await budgets.preview(actor, { customerId: "c-1", items }))._unsafeUnwrap();
    expect(Number(await context.ids.next(actor.businessId))).toBe(before + 1);
    expect((await budgets.list(actor))._unsafeUnwrap().data).toEqual([]);
    expect(await events()).toEqual([]);
    expect(announced).toEqual([]);
  });

  it("a preview refuses what creation refuses, and with strict references a customer only if named", async () => {
    const { budgets, actor } = budgetWorld({ references: "strict" });
    const work = { description: "Work", quantity: 1, unitPrice: 1 };
    const items = [work];
    const refused: Parameters<typeof budgets.preview>[1][] = [
      { items: [] },
      { items, discountAmount: 2 },
      { items, total: 9 },
      { items, validUntil: "2026-01-01" },
      { items, customerId: "nobody" },
      { items: [{ ...work, productId: "p-1", packageId: "k-1" }] },
    ];
    for (const body of refused) {
      const created = await budgets.create(actor, { ...body, customerId: body.customerId ?? "c-1" });
      const preview = await budgets.preview(actor, body);
      expect(preview._unsafeUnwrapErr()).toMatchObject(created._unsafeUnwrapErr());
    }
    expect((await budgets.preview(actor, { items })).isOk()).toBe(true);
  });

  it("a preview checks validUntil at the given time (VALIDITY_IN_THE_PAST)", async () => {
    const { budgets, actor, clock } = budgetWorld();
    const body = { items: [{ description: "Work", quantity: 1, unitPrice: 1 }], validUntil: "2026-03-03T00:00:00Z" };
    expect((await budgets.preview(actor, body)).isOk()).toBe(true);
    clock.advance(86_400_000);
    expect((await budgets.preview(actor, body))._unsafeUnwrapErr()).toMatchObject({ rule: "VALIDITY_IN_THE_PAST" });
  });
});
