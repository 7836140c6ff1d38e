import { aMail } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import type { PublicBudgetView } from "../../budgets/offer/public-view.js";
import { sellerViewOf } from "../../budgets/offer/seller-view.js";
import { budgetMail } from "./budget-mail.js";
import type { PageLanguage } from "./page-language.js";

const view: PublicBudgetView = {
  id: "42",
  version: 3,
  revision: 1,
  hash: "0".repeat(64),
  status: "PENDING",
  currency: "COP",
  subtotal: 100,
  discount: 0,
  tax: 0,
  taxRate: 0,
  total: 100,
  notes: null,
  validUntil: null,
  issueDate: "2026-03-01T00:00:00.000Z",
  minimumPaymentToConfirm: null,
  paid: 0,
  dueToConfirm: null,
  acceptance: null,
  approval: null,
  business: sellerViewOf(null),
  customer: { name: null },
  items: [],
  availableActions: [],
  publicUrl: "https://quotes.example/v1/p/token",
};

function textTo(name: string | null, lang: PageLanguage): string {
  const facts = {
    mail: aMail({ lang }),
    view: { ...view, customer: { name } },
    unsubscribeUrl: "https://quotes.example/v1/p/token/unsubscribe?mail=a",
  };
  return budgetMail(facts, 0).text.replaceAll("\u00a0", " ");
}

describe("the mail of a budget", () => {
  it("greets the customer, and begins with a capital letter when it does not know the name", () => {
    expect(textTo("Ana", "es")).toMatch(/^Hola, Ana:\n\naquí está su presupuesto 42\.\n/);
    expect(textTo(null, "es")).toMatch(/^Aquí está su presupuesto 42\.\n/);
    expect(textTo(null, "en")).toMatch(/^Here is your quote 42\.\n/);
    expect(textTo(null, "pt")).toMatch(/^Aqui está seu orçamento 42\.\n/);
  });

  it("shows the total with the decimals of its currency", () => {
    expect(textTo(null, "es")).toContain("100,00 COP");
  });
});
