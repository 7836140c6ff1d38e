import { describe, expect, it } from "vitest";
import { priceBudget } from "./price-budget.js";

const price = (...args: Parameters<typeof priceBudget>) => priceBudget(...args)._unsafeUnwrap();

describe("the figures of a budget", () => {
  it("the subtotal of a budget is without the tax that its prices contain", () => {
    const figures = price({
      currency: "USD",
      items: [{ quantity: 2, unitPrice: 379 }],
      taxes: [{ id: "iva", rate: 0.21, inclusive: true }],
    });
    expect(figures).toMatchObject({ total: 758, tax: 131.55, subtotal: 626.45 });
    expect(figures.items).toMatchObject([{ gross: 758, total: 626.45, tax: 131.55 }]);
  });

  it("adds a levy on an amount with its contained tax", () => {
    const figures = price({
      currency: "EUR",
      items: [{ quantity: 1, unitPrice: 119 }],
      taxes: [
        { id: "vat", rate: 0.19, inclusive: true },
        { id: "levy", rate: 0.01, on: ["vat"] },
      ],
    });
    expect(figures).toMatchObject({ total: 120.19, subtotal: 100, tax: 20.19 });
    expect(figures.taxes).toMatchObject([
      { id: "vat", base: 100, amount: 19 },
      { id: "levy", base: 119, amount: 1.19 },
    ]);
  });

  it("adds two taxes on one amount", () => {
    const taxes = [
      { id: "gst", rate: 0.05 },
      { id: "qst", rate: 0.09975 },
    ];
    expect(price({ currency: "CAD", items: [{ quantity: 1, unitPrice: 300 }], taxes })).toMatchObject({
      total: 344.93,
    });
  });

  it("adds a tax on another, in whichever order they are given", () => {
    const first = { id: "first", rate: 0.05 };
    const second = { id: "second", rate: 0.2, on: ["first"] };
    const items = [{ quantity: 1, unitPrice: 100 }];
    expect(price({ currency: "USD", items, taxes: [first, second] })).toMatchObject({ total: 126 });
    expect(price({ currency: "USD", items, taxes: [second, first] })).toMatchObject({ total: 126 });
  });

  it("keeps a withholding out of the total, and off what is payable", () => {
    const taxes = [
      { id: "iva", rate: 0.21 },
      { id: "irpf", rate: 0.15, kind: "withholding" as const },
    ];
    expect(price({ currency: "EUR", items: [{ quantity: 1, unitPrice: 1000 }], taxes })).toMatchObject({
      total: 1210,
      withheld: 150,
      payable: 1060,
    });
  });

  it("lists the choices without a selection, for which an approval is refused (CHOICE_INCOMPLETE)", () => {
    const options = [
      { quantity: 1, unitPrice: 620, choice: "worktop" },
      { quantity: 1, unitPrice: 980, choice: "worktop" },
    ];
    const items = [{ kind: "choice" as const, key: "worktop" }, ...options];
    expect(price({ currency: "EUR", items }).incompleteChoices).toEqual(["worktop"]);
    const chosen = [...items, { quantity: 1, unitPrice: 5, choice: "worktop", selected: true }];
    expect(price({ currency: "EUR", items: chosen }).incompleteChoices).toEqual([]);
  });

  it("leaves exactly 0 of a discount of everything", () => {
    const figures = price({
      currency: "EUR",
      items: [
        { quantity: 3, unitPrice: 33.33 },
        { quantity: 1, unitPrice: 0.02 },
      ],
      discountAmount: 100.01,
      taxes: [
        { id: "vat", rate: 0.19, inclusive: true },
        { id: "levy", rate: 0.01, on: ["vat"] },
      ],
    });
    expect(figures).toMatchObject({ total: 0, tax: 0 });
    expect(figures.subtotal).toBe(figures.discount);
  });
});
