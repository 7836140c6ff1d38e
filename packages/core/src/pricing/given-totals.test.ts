import { describe, expect, it } from "vitest";
import { type GivenTotals, minorAmount, reconcileTotals } from "./given-totals.js";

const lines = [
  { quantity: 3, unitPrice: 0.335 }, // 1.005, rounded to 1.01
  { quantity: 1, unitPrice: 10 },
];
const input = {
  currency: "USD",
  rounding: "half-up",
  lines,
  discount: 0,
  taxation: { kind: "rate", rate: 0.21 },
} as const;

function reconcile(given: Partial<GivenTotals>) {
  return reconcileTotals(input, { lines: [], subtotal: null, tax: null, total: null, ...given });
}

describe("totals that the client gives", () => {
  it("computes the totals that the client leaves out", () => {
    expect(reconcile({})._unsafeUnwrap()).toMatchObject({ subtotal: 1101, tax: 231, total: 1332 });
  });

  it("keeps the client's totals a minor unit off while the budget stays consistent", () => {
    const kept = reconcile({ lines: [100, null], subtotal: 1100, tax: 230, total: 1330 })._unsafeUnwrap();
    expect(kept).toMatchObject({ subtotal: 1100, tax: 230, total: 1330 });
    expect([...kept.lines.totals]).toEqual([100, 1000]);
  });

  it("a line that is not selected stays at 0 also with a total of the client", () => {
    const chosen = { ...input, lines: [...lines, { quantity: 1, unitPrice: 5, optional: true, selected: false }] };
    const given = { lines: [null, null, 1], subtotal: null, tax: null, total: null };
    expect([...reconcileTotals(chosen, given)._unsafeUnwrap().lines.totals]).toEqual([101, 1000, 0]);
  });

  it("replaces the client's totals where the budget would not add up with them", () => {
    expect(reconcile({ subtotal: 1100, total: 1331 })._unsafeUnwrap()).toMatchObject({ subtotal: 1101, total: 1332 });
  });

  it.each([
    ["items[0].total", { lines: [99, null] }, 0.99, 1.01],
    ["items[1].total", { lines: [null, 1002] }, 10.02, 10],
    ["subtotal", { subtotal: 1098 }, 10.98, 11.01],
    ["tax", { tax: 300 }, 3, 2.31],
    ["total", { total: 1329 }, 13.29, 13.32],
  ])("refuses the client's total at %s when further off (TOTALS_MISMATCH)", (field, given, mine, theirs) => {
    expect(reconcile(given)._unsafeUnwrapErr()).toMatchObject({
      rule: "TOTALS_MISMATCH",
      details: { field, given: mine, computed: theirs },
    });
  });

  it("applies the bounds of computed totals to the client's totals (AMOUNT_TOO_LARGE)", () => {
    const huge = [{ quantity: 1e9, unitPrice: 1e9 }];
    expect(
      reconcileTotals({ ...input, lines: huge }, { lines: [], subtotal: null, tax: null, total: null }),
    ).toMatchObject({
      error: { rule: "AMOUNT_TOO_LARGE" },
    });
    expect(
      reconcileTotals({ ...input, discount: 5_000 }, { lines: [], subtotal: null, tax: null, total: null }),
    ).toMatchObject({
      error: { rule: "DISCOUNT_EXCEEDS_SUBTOTAL" },
    });
    const full = {
      ...input,
      currency: "JPY",
      lines: [{ quantity: 1, unitPrice: 2 ** 53 - 1 }],
      taxation: { kind: "rate", rate: 0 },
    } as const;
    expect(reconcileTotals(full, { lines: [], subtotal: null, tax: 1, total: null })).toMatchObject({
      error: { rule: "AMOUNT_TOO_LARGE", details: { field: "total" } },
    });
  });
});

describe("totals that the client gives beside several taxes", () => {
  const vat = { id: "vat", name: "VAT", rate: 0.21, kind: "tax", inclusive: false, on: [] } as const;
  const sections = [...lines, { kind: "subtotal" as const, quantity: 0, unitPrice: 0 }];
  const taxed = { ...input, lines: sections, taxation: { kind: "taxes", taxes: [vat] } } as const;
  const none: GivenTotals = { lines: [], subtotal: null, tax: null, total: null };

  it("computes the totals although the client's are a minor unit off, so that the taxes sum", () => {
    const given = { lines: [100, null, 1100], subtotal: 1100, tax: 230, total: 1330 };
    expect(reconcileTotals(taxed, given)._unsafeUnwrap()).toMatchObject({ subtotal: 1101, tax: 231, total: 1332 });
  });

  it.each<[string, Partial<GivenTotals>]>([
    ["items[1].total", { lines: [null, 1_002] }],
    ["items[2].total", { lines: [null, null, 1_200] }],
    ["subtotal", { subtotal: 1_200 }],
    ["tax", { tax: 300 }],
    ["total", { total: 1_400 }],
  ])("refuses the client's %s beside several taxes when further off (TOTALS_MISMATCH)", (field, given) => {
    expect(reconcileTotals(taxed, { ...none, ...given })._unsafeUnwrapErr()).toMatchObject({
      rule: "TOTALS_MISMATCH",
      details: { field },
    });
  });

  it("refuses taxes that are on each other, whatever totals the client gives (TAX_CYCLE)", () => {
    const taxation = { kind: "taxes" as const, taxes: [{ ...vat, on: ["vat"] }] };
    expect(reconcileTotals({ ...taxed, taxation }, none)._unsafeUnwrapErr()).toMatchObject({ rule: "TAX_CYCLE" });
  });
});

describe("an amount on the wire", () => {
  it("refuses an amount with more decimals than its currency has (INVALID_FORMAT)", () => {
    expect(minorAmount("discountAmount", 1.25, "USD")._unsafeUnwrap()).toBe(125);
    expect(minorAmount("discountAmount", 1.125, "USD")._unsafeUnwrapErr()).toMatchObject({
      kind: "invalid",
      errors: [{ field: "discountAmount", code: "INVALID_FORMAT" }],
    });
    expect(minorAmount("discountAmount", 0.5, "JPY").isErr()).toBe(true);
  });

  it("refuses an amount that cannot be held exactly (AMOUNT_TOO_LARGE)", () => {
    expect(minorAmount("total", 2 ** 46, "USD")._unsafeUnwrap()).toBe(2 ** 46 * 100);
    for (const amount of [2 ** 46 + 0.02, 2 ** 46 + 0.125, 1e15]) {
      expect(minorAmount("total", amount, "USD")._unsafeUnwrapErr()).toMatchObject({
        rule: "AMOUNT_TOO_LARGE",
        details: { field: "total", max: 2 ** 46 },
      });
    }
  });
});
