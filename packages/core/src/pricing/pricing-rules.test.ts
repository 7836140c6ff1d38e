import { describe, expect, it } from "vitest";
import { incompleteChoices } from "./choices.js";
import { furtherFigures } from "./price.js";
import { priceBudget } from "./price-budget.js";
import type { PricingInput, PricingLine, PricingTax } from "./pricing-shapes.js";
import { applySelection, isConfigurable } from "./selection.js";
import { computeTotals } from "./totals.js";

const item = { quantity: 1, unitPrice: 100 };
const vat = { id: "vat", rate: 0.2 };
const choice = { kind: "choice", key: "worktop" } as const;
const option = { ...item, choice: "worktop" };
const budget = (changes: Partial<PricingInput>): PricingInput => ({ currency: "EUR", items: [item], ...changes });
const taxed = (...taxes: PricingTax[]) => budget({ taxes });
const lined = (...items: PricingLine[]) => budget({ items });
const tiers = (count: number) => Array.from({ length: count }, (_, from) => ({ from, unitPrice: 1 }));
const tens = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `tax-${index}`, rate: 0.1 }));
const choices = (count: number) =>
  Array.from({ length: count }, (_, index) => [
    { kind: "choice" as const, key: `choice-${index}` },
    { ...item, choice: `choice-${index}` },
  ]).flat();
const ranged = (quantity: number, minimum: number, maximum: number, step: number) =>
  lined({ ...item, quantity, quantityRange: { minimum, maximum, step } });

describe("the rules of configured prices", () => {
  it.each<[string, string, string, PricingInput]>([
    ["two taxes of one id", "DUPLICATE_TAX", "taxes[1].id", taxed(vat, vat)],
    [
      "a tax of a line that the budget lacks",
      "UNKNOWN_TAX",
      "items[0].taxes[1]",
      {
        ...taxed(vat),
        items: [{ ...item, taxes: ["vat", "levy"] }],
      },
    ],
    [
      "a tax of a line beside a taxRate",
      "UNKNOWN_TAX",
      "items[1].taxes",
      {
        ...lined(item, { ...item, taxes: ["vat"] }),
        taxRate: 0.2,
      },
    ],
    [
      "an exempt line beside a taxRate",
      "UNKNOWN_TAX",
      "items[0].taxes",
      {
        ...lined({ ...item, taxes: [] }),
        taxRate: 0.2,
      },
    ],
    ["a tax on one that the budget lacks", "UNKNOWN_TAX", "taxes[0].on[0]", taxed({ ...vat, on: ["levy"] })],
    ["a tax on itself", "TAX_CYCLE", "taxes[0].on", taxed({ ...vat, on: ["vat"] })],
    [
      "two taxes on each other, behind one that is not",
      "TAX_CYCLE",
      "taxes[1].on",
      taxed(vat, { id: "a", rate: 0.1, on: ["b"] }, { id: "b", rate: 0.1, on: ["a"] }),
    ],
    [
      "a withholding that prices contain",
      "INVALID_TAX_BASE",
      "taxes[1].inclusive",
      taxed(vat, { id: "irpf", rate: 0.15, kind: "withholding", inclusive: true }),
    ],
    [
      "a tax on a withholding",
      "INVALID_TAX_BASE",
      "taxes[1].on[0]",
      taxed({ id: "irpf", rate: 0.15, kind: "withholding" }, { ...vat, on: ["irpf"] }),
    ],
    [
      "a contained tax on one that is added",
      "INVALID_TAX_BASE",
      "taxes[1].on[1]",
      taxed(
        { ...vat, inclusive: true },
        { id: "levy", rate: 0.01, inclusive: true, on: ["vat", "late"] },
        { id: "late", rate: 0.1 },
      ),
    ],
    [
      "withholdings above the total",
      "WITHHOLDING_EXCEEDS_TOTAL",
      "taxes",
      taxed({ id: "a", rate: 0.7, kind: "withholding" }, { id: "b", rate: 0.7, kind: "withholding" }),
    ],
  ])(
    "refuses %s (DUPLICATE_TAX, UNKNOWN_TAX, TAX_CYCLE, INVALID_TAX_BASE, WITHHOLDING_EXCEEDS_TOTAL)",
    (_, rule, field, input) => {
      expect(priceBudget(input)._unsafeUnwrapErr()).toMatchObject({ kind: "rule", rule, details: { field } });
    },
  );

  it.each<[string, string, string, PricingInput]>([
    ["two choices of one key", "DUPLICATE_CHOICE", "items[2].key", lined(choice, option, choice)],
    ["a line of a choice that the budget lacks", "UNKNOWN_CHOICE", "items[0].choice", lined(option)],
    ["a choice without options", "IMPOSSIBLE_CHOICE", "items[1]", lined(item, choice)],
    [
      "a choice of more than it offers",
      "IMPOSSIBLE_CHOICE",
      "items[0]",
      lined({ ...choice, minimum: 2, maximum: 2 }, option),
    ],
    ["a minimum above the maximum", "IMPOSSIBLE_CHOICE", "items[0]", lined({ ...choice, minimum: 2 }, option, option)],
    [
      "more than 50 options",
      "TOO_MANY_OPTIONS",
      "items[0]",
      lined(choice, ...Array.from({ length: 51 }, () => option)),
    ],
    ["more than 20 choices", "TOO_MANY_OPTIONS", "items", lined(...choices(21))],
    [
      "more selected options than the maximum",
      "CHOICE_EXCEEDED",
      "items[0]",
      lined(choice, { ...option, selected: true }, { ...option, selected: true }),
    ],
    [
      "a selected line that is neither optional nor an option",
      "NOT_SELECTABLE",
      "items[0].selected",
      lined({ ...item, selected: true }),
    ],
    [
      "an option that is optional too",
      "NOT_SELECTABLE",
      "items[1].optional",
      lined(choice, { ...option, optional: true }),
    ],
  ])(
    "refuses %s (DUPLICATE_CHOICE, UNKNOWN_CHOICE, IMPOSSIBLE_CHOICE, TOO_MANY_OPTIONS, CHOICE_EXCEEDED, NOT_SELECTABLE)",
    (_, rule, field, input) => {
      expect(priceBudget(input)._unsafeUnwrapErr()).toMatchObject({ kind: "rule", rule, details: { field } });
    },
  );

  it("refuses lines that recur in more than 20 different ways (TOO_MANY_RECURRENCES)", () => {
    const recurring = (count: number) =>
      lined(
        ...Array.from({ length: count }, (_, index) => ({
          quantity: 1,
          unitPrice: 1,
          recurring: { interval: "month" as const, intervalCount: index + 1, cycles: null },
        })),
      );
    expect(priceBudget(recurring(20))._unsafeUnwrap().recurring).toHaveLength(20);
    expect(priceBudget(recurring(21))._unsafeUnwrapErr()).toMatchObject({ rule: "TOO_MANY_RECURRENCES" });
  });

  it.each<[string, string, string, PricingInput]>([
    [
      "a range whose maximum is below its minimum",
      "INVALID_QUANTITY_RANGE",
      "items[0].quantityRange",
      ranged(5, 5, 4, 1),
    ],
    [
      "a range whose maximum is between two steps",
      "INVALID_QUANTITY_RANGE",
      "items[0].quantityRange",
      ranged(5, 5, 6, 0.3),
    ],
    ["a quantity below its range", "QUANTITY_OUT_OF_RANGE", "items[0].quantity", ranged(4.5, 5, 6, 0.5)],
    ["a quantity above its range", "QUANTITY_OUT_OF_RANGE", "items[0].quantity", ranged(6.5, 5, 6, 0.5)],
    ["a quantity between two steps", "QUANTITY_OUT_OF_RANGE", "items[0].quantity", ranged(5.25, 5, 6, 0.5)],
    [
      "tiers that do not ascend",
      "TIERS_NOT_ASCENDING",
      "items[0].priceTiers[2].from",
      lined({
        quantity: 1,
        priceTiers: [
          { from: 0, unitPrice: 3 },
          { from: 10, unitPrice: 2 },
          { from: 10, unitPrice: 1 },
        ],
      }),
    ],
  ])("refuses %s (INVALID_QUANTITY_RANGE, QUANTITY_OUT_OF_RANGE, TIERS_NOT_ASCENDING)", (_, rule, field, input) => {
    expect(priceBudget(input)._unsafeUnwrapErr()).toMatchObject({ kind: "rule", rule, details: { field } });
  });

  it.each<[string, string, string, PricingInput]>([
    [
      "both discounts on a line",
      "DISCOUNT_RATE_AND_AMOUNT",
      "items[0]",
      lined({ ...item, discountRate: 0.1, discountAmount: 1 }),
    ],
    [
      "a line's discount above its amount",
      "DISCOUNT_EXCEEDS_ITEM",
      "items[0].discountAmount",
      lined({ ...item, discountAmount: 101 }),
    ],
    [
      "a discount above the sum of gross prices",
      "DISCOUNT_EXCEEDS_SUBTOTAL",
      "discountAmount",
      {
        ...taxed({ ...vat, inclusive: true }),
        discountAmount: 100.01,
      },
    ],
    [
      "a cost above the largest amount",
      "AMOUNT_TOO_LARGE",
      "items[0].unitCost",
      lined({ ...item, quantity: 0.01, unitCost: 1e15 }),
    ],
    [
      "costs above the largest amount together",
      "AMOUNT_TOO_LARGE",
      "cost",
      lined({ ...item, unitCost: 5e13 }, { ...item, unitCost: 5e13 }),
    ],
    [
      "gross prices above the largest amount together",
      "AMOUNT_TOO_LARGE",
      "subtotal",
      {
        ...lined({ ...item, unitPrice: 5e13 }, { ...item, unitPrice: 5e13 }),
        taxes: [vat],
      },
    ],
    [
      "taxes that lift the total above the largest amount",
      "AMOUNT_TOO_LARGE",
      "total",
      {
        ...lined({ ...item, unitPrice: 5e13 }),
        taxes: [{ id: "a", rate: 1 }],
      },
    ],
    [
      "a tax on an amount above the largest",
      "AMOUNT_TOO_LARGE",
      "total",
      {
        ...lined({ ...item, unitPrice: 5e13 }),
        taxes: [
          { id: "a", rate: 1 },
          { id: "b", rate: 0, on: ["a"] },
        ],
      },
    ],
  ])("refuses %s (%s)", (_, rule, field, input) => {
    expect(priceBudget(input)._unsafeUnwrapErr()).toMatchObject({ kind: "rule", rule, details: { field } });
  });

  it.each<[string, string, string, PricingInput]>([
    ["a currency that does not exist", "INVALID_VALUE", "currency", budget({ currency: "XXX" })],
    ["a taxRate beside taxes", "INVALID_VALUE", "taxRate", { ...taxed(vat), taxRate: 0 }],
    ["a taxRate above 1", "INVALID_VALUE", "taxRate", budget({ taxRate: 21 })],
    ["a rate that is no number", "INVALID_VALUE", "taxes[0].rate", taxed({ ...vat, rate: Number.NaN })],
    ["more than 8 taxes", "MAX_LENGTH", "taxes", taxed(...tens(9))],
    ["a negative discount", "MIN_VALUE", "discountAmount", budget({ discountAmount: -1 })],
    [
      "a discount with more decimals than the currency",
      "INVALID_FORMAT",
      "discountAmount",
      budget({ discountAmount: 0.001 }),
    ],
    ["a deposit with a rate and an amount", "INVALID_VALUE", "deposit", budget({ deposit: { rate: 0.3, amount: 1 } })],
    ["a deposit with neither", "INVALID_VALUE", "deposit", budget({ deposit: {} })],
    ["a deposit above the whole", "INVALID_VALUE", "deposit.rate", budget({ deposit: { rate: 1.1 } })],
    ["a negative deposit", "MIN_VALUE", "deposit.amount", budget({ deposit: { amount: -1 } })],
    ["an item without a quantity", "REQUIRED", "items[0].quantity", lined({ unitPrice: 1 })],
    ["an item without a price", "REQUIRED", "items[0].unitPrice", lined({ quantity: 1 })],
    [
      "tiers that begin above the quantity, without a price below them",
      "REQUIRED",
      "items[0].unitPrice",
      lined({ quantity: 1, priceTiers: [{ from: 2, unitPrice: 1 }] }),
    ],
    [
      "tiers that begin above the range, without a price below them",
      "REQUIRED",
      "items[0].unitPrice",
      lined({
        quantity: 3,
        quantityRange: { minimum: 1, maximum: 3, step: 1 },
        priceTiers: [{ from: 2, unitPrice: 1 }],
      }),
    ],
    ["a quantity of 0", "MIN_VALUE", "items[0].quantity", lined({ ...item, quantity: 0 })],
    ["an endless quantity", "MIN_VALUE", "items[0].quantity", lined({ ...item, quantity: Number.POSITIVE_INFINITY })],
    ["a negative price", "MIN_VALUE", "items[0].unitPrice", lined({ ...item, unitPrice: -1 })],
    ["a negative cost", "MIN_VALUE", "items[0].unitCost", lined({ ...item, unitCost: -1 })],
    ["a negative discount of a line", "MIN_VALUE", "items[0].discountAmount", lined({ ...item, discountAmount: -1 })],
    [
      "a discount of a line with more decimals than the currency",
      "INVALID_FORMAT",
      "items[0].discountAmount",
      lined({ ...item, discountAmount: 0.001 }),
    ],
    ["a negative discount rate", "MIN_VALUE", "items[0].discountRate", lined({ ...item, discountRate: -1 })],
    ["a discount rate above 1", "MAX_VALUE", "items[0].discountRate", lined({ ...item, discountRate: 1.5 })],
    ["a step of 0", "MIN_VALUE", "items[0].quantityRange.step", ranged(1, 1, 2, 0)],
    ["no tiers", "MIN_LENGTH", "items[0].priceTiers", lined({ ...item, priceTiers: [] })],
    [
      "more than 20 tiers beside one from 0",
      "MAX_LENGTH",
      "items[0].priceTiers",
      lined({ quantity: 1, priceTiers: tiers(22) }),
    ],
    [
      "a tier from a negative quantity",
      "MIN_VALUE",
      "items[0].priceTiers[0].from",
      lined({ ...item, priceTiers: [{ from: -1, unitPrice: 1 }] }),
    ],
    [
      "a tier with a negative price",
      "MIN_VALUE",
      "items[0].priceTiers[0].unitPrice",
      lined({ ...item, priceTiers: [{ from: 1, unitPrice: -1 }] }),
    ],
    [
      "half a month",
      "MIN_VALUE",
      "items[0].recurring.intervalCount",
      lined({ ...item, recurring: { interval: "month", intervalCount: 0.5, cycles: null } }),
    ],
    [
      "no cycles",
      "MIN_VALUE",
      "items[0].recurring.cycles",
      lined({ ...item, recurring: { interval: "month", intervalCount: 1, cycles: 0 } }),
    ],
    ["a choice without a key", "REQUIRED", "items[0].key", lined({ kind: "choice" })],
    ["a negative minimum of a choice", "MIN_VALUE", "items[0].minimum", lined({ ...choice, minimum: -1 }, option)],
    ["a choice of nothing", "MIN_VALUE", "items[0].maximum", lined({ ...choice, minimum: 0, maximum: 0 }, option)],
  ])("refuses %s (%s)", (_, code, field, input) => {
    expect(priceBudget(input)._unsafeUnwrapErr()).toMatchObject({ kind: "invalid", errors: [{ code, field }] });
  });

  it("refuses an interval that does not exist (INVALID_VALUE)", () => {
    const input = JSON.parse(
      '{"currency":"EUR","items":[{"quantity":1,"unitPrice":1,"recurring":{"interval":"day"}}]}',
    );
    expect(priceBudget(input)._unsafeUnwrapErr()).toMatchObject({
      errors: [{ code: "INVALID_VALUE", field: "items[0].recurring.interval" }],
    });
  });

  it("accepts 8 taxes, 20 tiers beside one from 0, 20 choices and 50 options", () => {
    const many = [...choices(19), choice, ...Array.from({ length: 50 }, () => option)];
    const input = { ...lined(...many, { quantity: 1, priceTiers: tiers(21) }), taxes: tens(8) };
    expect(priceBudget(input).isOk()).toBe(true);
  });

  it("refuses a later cycle that is above the largest amount", () => {
    const monthly = { interval: "month", intervalCount: 1, cycles: null } as const;
    const input = { ...lined({ ...item, unitPrice: 5e13, recurring: monthly }), discountAmount: 4e13, taxRate: 1 };
    expect(priceBudget(input)._unsafeUnwrapErr()).toMatchObject({ rule: "AMOUNT_TOO_LARGE" });
  });
});

describe("a tax that was given as an amount", () => {
  const monthly = { interval: "month", intervalCount: 1, cycles: null } as const;
  const figuresWith = (amount: number) => {
    const lines = [item, { ...item, recurring: monthly }];
    const input = {
      currency: "EUR",
      rounding: "half-up",
      lines,
      discount: 0,
      taxation: { kind: "amount", amount },
    } as const;
    return furtherFigures(computeTotals(input)._unsafeUnwrap(), input);
  };

  it("refuses a recurring line beside a tax that was given as an amount (TAX_RATE_REQUIRED)", () => {
    expect(figuresWith(100)._unsafeUnwrapErr()).toMatchObject({
      rule: "TAX_RATE_REQUIRED",
      details: { field: "items[1].recurring" },
    });
  });

  it("computes later cycles without a tax where the amount is 0", () => {
    expect(figuresWith(0)._unsafeUnwrap().recurring).toMatchObject([{ subtotal: 10_000, tax: 0, total: 10_000 }]);
  });
});

describe("the rules of a selection", () => {
  const offer: PricingLine[] = [
    { ...item, id: "fixed" },
    { ...item, id: "island", optional: true },
    { ...item, id: "tiles", quantityRange: { minimum: 1, maximum: 2, step: 0.5 } },
  ];

  it.each([
    ["an unknown line", [{ itemId: "other" }], "selection[0].itemId"],
    ["a line twice", [{ itemId: "island" }, { itemId: "island" }], "selection[1].itemId"],
    ["a fixed line", [{ itemId: "fixed", selected: true }], "selection[0].selected"],
    ["the quantity of a line without a range", [{ itemId: "island", quantity: 2 }], "selection[0].quantity"],
    ["a quantity out of its range", [{ itemId: "tiles", quantity: 2.5 }], "selection[0].quantity"],
    ["a quantity between two steps", [{ itemId: "tiles", quantity: 1.25 }], "selection[0].quantity"],
    ["a quantity that is no number", [{ itemId: "tiles", quantity: Number.NaN }], "selection[0].quantity"],
  ])("a selection of %s is refused (SELECTION_NOT_OFFERED)", (_, selection, field) => {
    expect(applySelection(offer, selection)._unsafeUnwrapErr()).toMatchObject({
      rule: "SELECTION_NOT_OFFERED",
      details: { field },
    });
  });

  it("isConfigurable is true for the lines that the customer may set", () => {
    expect(offer.map((line) => isConfigurable(line))).toEqual([false, true, true]);
  });

  it("no choice is incomplete where two have the same key, which is refused", () => {
    expect(incompleteChoices([choice, choice])).toEqual([]);
  });

  it("a range without a step offers no quantity", () => {
    const broken = [{ ...item, id: "tiles", quantityRange: { minimum: 1, maximum: 2, step: 0 } }];
    expect(applySelection(broken, [{ itemId: "tiles", quantity: 2 }]).isErr()).toBe(true);
  });
});
