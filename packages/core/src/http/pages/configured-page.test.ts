import { describe, expect, it } from "vitest";
import type { PublicBudgetView } from "../../budgets/offer/public-view.js";
import { sellerViewOf } from "../../budgets/offer/seller-view.js";
import { priceBudget } from "../../pricing/price-budget.js";
import { budgetDocument } from "./budget-document.js";
import { budgetPage, type PageParts } from "./budget-page.js";
import { PAGE_LANGUAGES } from "./page-language.js";

type Item = Extract<PublicBudgetView["items"][number], { readonly quantity: number }>;
type Tax = NonNullable<PublicBudgetView["taxes"]>[number];
type Line = PublicBudgetView["items"][number];

const NOW = Date.UTC(2026, 2, 20, 12);
const ACCEPTED = { acceptedAt: "2026-03-21T12:00:00.000Z", acceptedBy: "customer:Ana" };
const IVA = {
  id: "iva",
  name: "IVA",
  rate: 0.21,
  kind: "tax",
  inclusive: true,
  on: [],
  base: 0,
  amount: 0,
} satisfies Tax;

function anItem(fields: Partial<Item> & Pick<Item, "description">): Item {
  return { quantity: 1, unitPrice: 100, total: 0, ...fields };
}

/** Two worktops to choose from, one of them elsewhere in the list, an island or none, tiles by the metre, and care. */
const KITCHEN: readonly Line[] = [
  anItem({ id: "3", description: "Oak\nsolid", choice: "top", selected: true, unitPrice: 448 }),
  { kind: "heading", description: "Kitchen" },
  { kind: "choice", key: "top", description: "Choose the worktop", minimum: 1, maximum: 1 },
  anItem({ id: "1", description: "Quartz", choice: "top", selected: false, unitPrice: 688 }),
  anItem({ id: "2", description: "Island", optional: true, selected: false, unitPrice: 720 }),
  anItem({
    id: "4",
    description: "Tiles",
    unit: "m²",
    quantity: 28,
    unitPrice: 24,
    priceTiers: [
      { from: 0, unitPrice: 24 },
      { from: 40, unitPrice: 21.5 },
    ],
    quantityRange: { minimum: 20, maximum: 60, step: 0.5 },
  }),
  anItem({ description: "Care", unitPrice: 95, recurring: { interval: "year", intervalCount: 1, cycles: 3 } }),
];

/** An offer with the figures of its lines. */
function offerOf(items: readonly Line[], changes: Partial<PublicBudgetView> = {}): PublicBudgetView {
  const { taxes, taxRate = null, discountAmount = 0, deposit } = changes;
  const rates = taxes === undefined ? { taxRate } : { taxes };
  const priced = priceBudget({ currency: "EUR", ...rates, discountAmount, deposit, items })._unsafeUnwrap();
  const { incompleteChoices: _, trace: __, items: lines, minimumPaymentToConfirm = null, ...figures } = priced;
  return {
    id: "42",
    version: 3,
    revision: 1,
    hash: "0".repeat(64),
    status: "PENDING",
    currency: "EUR",
    taxRate,
    notes: null,
    validUntil: null,
    issueDate: "2026-03-01T00:00:00.000Z",
    minimumPaymentToConfirm,
    paid: 0,
    dueToConfirm: null,
    acceptance: null,
    approval: null,
    business: sellerViewOf(null),
    customer: { name: null },
    availableActions: ["accept", "decline", "requestChange"],
    publicUrl: "https://quotes.example/shop/v1/p/token",
    ...changes,
    ...(figures as object as Pick<PublicBudgetView, "subtotal" | "discount" | "tax" | "total" | "taxes">),
    items: items.map((line, index) => {
      const { gross, total = 0 } = lines[index] ?? {};
      if (line.kind !== undefined) return line;
      return { ...line, total, ...(gross === undefined ? {} : { gross }) };
    }),
  };
}

function pageOf(view: PublicBudgetView, asked = "en", parts: PageParts = {}): string {
  return budgetPage(view, { asked, accepted: null }, NOW, parts).markup.replace(/[\u00a0\u202f]/g, " ");
}

function textOf(page: string): string {
  return page
    .replace(/<(style|script)[\s\S]*?<\/\1>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
}

describe("the page of an offer that its customer configures", () => {
  it("the page of an offer shows the options of a choice together below it, wherever they stand in the budget", () => {
    const page = pageOf(offerOf(KITCHEN));
    const [, group = ""] = /<fieldset([\s\S]*?)<\/fieldset>/.exec(page) ?? [];
    expect(textOf(group)).toMatch(/Choose the worktop Choose 1 of 2 .*Oak solid €448.00 .*Quartz €688.00/);
    expect(group.match(/type="radio"/g)).toHaveLength(2);
    expect(group).toMatch(/name="choice.top" value="3" form="accept" checked>/);
    expect(page).toContain('<input type="hidden" name="offered.2" value="1">');
    expect(page.match(/>Oak</g)).toHaveLength(1);
  });

  it("the page of an offer has a box for an optional line with its price, and a field for a quantity within its range", () => {
    const page = pageOf(offerOf(KITCHEN));
    expect(page).toMatch(/type="checkbox" id="line-4" name="selected.2" value="1" form="accept">/);
    expect(textOf(page)).toContain("Island Optional €720.00");
    expect(page).toMatch(/type="number" id="quantity-5" name="quantity.4" value="28" min="20" max="60" step="0.5"/);
    expect(textOf(page)).toContain("20 to 60 m², in steps of 0.5 from 20 m²: €24.00 · from 40 m²: €21.50");
  });

  it("the page of an offer lets a choice of several be checked, and a choice of none be refused", () => {
    const several: Line = { kind: "choice", key: "top", description: "Tops", minimum: 0, maximum: 2 };
    const items = KITCHEN.map((line) => (line.kind === "choice" ? several : line));
    expect(textOf(pageOf(offerOf(items)))).toContain("Tops Choose up to 2 of 2");
    expect(pageOf(offerOf(items))).toContain('name="selected.3" value="1" form="accept" checked');
    const none = KITCHEN.map((line) => (line.kind === "choice" ? { ...several, maximum: 1 } : line));
    expect(pageOf(offerOf(none))).toMatch(/id="choice-2-none" name="choice.top" value="" form="accept"/);
    expect(textOf(pageOf(offerOf(none)))).toContain("None of them");
  });

  it("the page of an offer sends the selection to be calculated, and the total that was shown with an acceptance", () => {
    const page = pageOf(offerOf(KITCHEN));
    const button = 'form="accept" formaction="/shop/v1/p/token/preview?lang=en" formnovalidate>Update total</button>';
    expect(page.split(button)).toHaveLength(3);
    expect(page).toContain('<input type="hidden" name="total" value="1215">');
  });

  it("the page of an offer says at a choice that it lacks a selection, and above the offer that its total is another one", () => {
    const page = pageOf(offerOf(KITCHEN), "en", { openChoices: ["top"], isRecalculated: true });
    expect(page).toMatch(/<fieldset id="choice-2"[^>]* aria-describedby="choice-2-error">/);
    expect(page).toContain('<p class="error" id="choice-2-error" role="alert">Please choose here');
    expect(page).toContain('<p class="error" role="alert">Your choices change the total.');
    expect(pageOf(offerOf(KITCHEN))).toContain('id="choice-2-error" role="alert" hidden>');
  });

  it("the page of an offer shows prices with the tax that they contain, what later cycles cost, and the deposit with its part", () => {
    const text = textOf(pageOf(offerOf(KITCHEN, { taxes: [IVA], deposit: { rate: 0.3 } })));
    expect(text).toContain("incl. IVA 21% €210.87");
    expect(text).toContain("Total EUR 1,215.00");
    expect(text).toContain("To confirm, pay at least (30%) €364.50");
    expect(text).toContain("Then, for another 2 years, incl. IVA 21% €95.00 every year");
    expect(text).toContain("Charged every year, for 3 years; the first time is in the total");
    expect(text).toContain("Total incl. IVA 21% EUR 1,215.00");
  });

  it("the page of an offer names each tax, adds those that prices do not contain, and shows what is withheld and payable", () => {
    const levy = { ...IVA, id: "levy", name: "Levy", rate: 0.01, inclusive: false };
    const kept: Tax = {
      ...IVA,
      id: "kept",
      name: "Retention 15%",
      rate: 0.15,
      kind: "withholding",
      inclusive: false,
    };
    const items = [anItem({ description: "Work", unitPrice: 1_210 })];
    const page = pageOf(offerOf(items, { taxes: [IVA, levy, kept], discountAmount: 121 }));
    const [, sums = ""] = /<dl class="totals">([\s\S]*?)<\/dl>/.exec(page) ?? [];
    expect(textOf(sums)).toBe(
      " Subtotal €1,210.00 Discount −€121.00 incl. IVA 21% €189.00 Levy 1% €9.00 Total EUR 1,098.00 Retention 15% −€135.00 Amount payable €963.00 ",
    );
    expect(textOf(page)).toContain("Total incl. IVA, Levy");
  });

  it("the page of an offer shows what was chosen, and what was not chosen, once the customer has answered", () => {
    const page = pageOf(offerOf(KITCHEN, { status: "APPROVED", approval: ACCEPTED, availableActions: [] }));
    expect(page).not.toMatch(/type="(?:radio|checkbox|number)"|<fieldset|live-total/);
    expect(textOf(page)).toMatch(/Oak solid Chosen .*Quartz Not chosen 1 × €688.00 €688.00 .*Island Not chosen/);
    expect(page.match(/<tr role="row" class="left-out">/g)).toHaveLength(2);
    expect(page).toContain("<s><bdi>€688.00</bdi></s>");
    expect(textOf(page)).not.toContain("in steps of");
  });

  it("the page of an offer gives the browser what it computes with, and no description, where the figures are those of the lines", () => {
    const view = offerOf(KITCHEN, { taxes: [IVA], business: { ...sellerViewOf(null), name: "</script><b>" } });
    const page = pageOf(view);
    const [, json = "{}"] = /<script type="application\/json" id="offer">(.*)<\/script>/.exec(page) ?? [];
    expect(JSON.parse(json)).toMatchObject({
      input: { currency: "EUR", items: { length: KITCHEN.length } },
      consent: "I accept quote 42 of </script><b> for \u0000, and its terms.",
      laterAmounts: ["\u0000 every year"],
    });
    expect(json).not.toMatch(/<|Island/);
    expect(page).toMatch(/<script src="\/shop\/v1\/p\/live-total.js\?v=[0-9a-f]{16}" integrity="sha256-[^"]+" defer>/);
    const given = pageOf({ ...view, total: view.total + 0.01 });
    expect(given).not.toContain("live-total");
    expect(given).toContain("Update total");
  });

  it("the page computes by the rounding of the offer, also where another comes to the same figures", () => {
    expect(pageOf(offerOf(KITCHEN))).toContain('"rounding":"half-up"');
    expect(pageOf(offerOf(KITCHEN, { rounding: "half-even" }))).toContain('"rounding":"half-even"');
  });

  it.each(PAGE_LANGUAGES)("the page of an offer names every control, and has a text for every sum: %s", (language) => {
    const page = pageOf(offerOf(KITCHEN, { taxes: [IVA], deposit: { rate: 0.3 } }), language);
    for (const [, id = ""] of page.matchAll(/<input type="(?:radio|checkbox|number)" id="([\w-]+)"/g)) {
      expect(page).toContain(`for="${id}">`);
    }
    expect(page).not.toMatch(/undefined|NaN|<dt><\/dt>/);
  });

  it("the page of an offer weighs less than 40 kB with 50 options, each with a range and tiers", () => {
    const options = Array.from({ length: 50 }, (_, index) =>
      anItem({
        id: String(1_000_000_000 + index),
        description: `Worktop of oak ${index}`,
        choice: "top",
        selected: index === 0,
      }),
    );
    const choice: Line = { kind: "choice", key: "top", description: "Worktop", minimum: 1, maximum: 1 };
    expect(Buffer.byteLength(pageOf(offerOf([choice, ...options], { taxRate: 0.21 })))).toBeLessThan(40_000);
  });
});

describe("the document of an offer that its customer configures", () => {
  it("the document of an offer tells lines that are selected from those that are not, with what each would cost", () => {
    const { rows, deposit } = budgetDocument(
      offerOf(KITCHEN, { deposit: { rate: 0.3 } }),
      { asked: "en", accepted: null },
      null,
    );
    expect(rows.map(({ name, isSelected, isOption, amount }) => [name, isSelected, isOption, amount])).toEqual([
      ["Kitchen", null, false, ""],
      ["Choose the worktop", null, false, ""],
      ["Oak", true, true, "€448.00"],
      ["Quartz", false, true, "€688.00"],
      ["Island", false, false, "€720.00"],
      ["Tiles", null, false, "€672.00"],
      ["Care", null, false, "€95.00"],
    ]);
    expect(deposit).toEqual({ term: "Deposit (30%)", text: "€364.50" });
  });

  it("the document of an offer sums a section with the taxes that its prices contain", () => {
    const items: Line[] = [...KITCHEN, { kind: "subtotal", total: 0 }];
    const { rows } = budgetDocument(offerOf(items, { taxes: [IVA] }), { asked: "en", accepted: null }, null);
    expect(rows.at(-1)?.amount).toBe("€767.00");
  });
});
