import type { BudgetDocument } from "@budgetkit/core";

export const CHANGED_AT = new Date(Date.UTC(2026, 2, 2, 12));

/** A document with every part. */
export function aDocument(overrides: Partial<BudgetDocument> = {}): BudgetDocument {
  return {
    language: "en",
    locale: "en",
    direction: "ltr",
    accentColor: "#0b6e4f",
    readableAccent: "#0b6e4f",
    title: "Quote 42",
    status: "Waiting for your answer",
    seller: {
      name: "Norte",
      legalName: "Carpintería Norte S.R.L.",
      taxId: "Tax number 30-71234567-1",
      address: "Av. Belgrano 1200\nSalta",
      email: "sales@norte.example",
      phone: "+54 387 555 0100",
      website: "https://norte.example/",
    },
    facts: [
      { term: "For", text: "Ana Ruiz" },
      { term: "Issued", text: "March 2, 2026" },
    ],
    customer: { name: "Ana Ruiz", address: null, taxId: null },
    sum: { kind: "total", term: "Total", amount: "USD 1,089.00" },
    validUntil: null,
    deposit: null,
    signed: null,
    link: null,
    answer: {
      thanks: "Thank you!",
      accepted: "Accepted by Ana.",
      due: "Another USD 5.00 is due.",
      payment: { title: "How to pay", text: "By transfer." },
    },
    itemsTitle: "Items",
    columns: { description: "Description", quantity: "Quantity", price: "Price", amount: "Amount" },
    rows: [anItem()],
    totals: [
      { kind: "sum", term: "Subtotal", amount: "USD 900.00" },
      { kind: "total", term: "Total", amount: "USD 1,089.00" },
    ],
    texts: [{ title: "Notes", text: "Delivery in two weeks." }],
    footer: "Until soon",
    pageLabel: "Page {page} of {pages}",
    ...overrides,
  };
}

export function anItem(description = "Oak table\nWith oil"): BudgetDocument["rows"][number] {
  const [name = "", ...details] = description.split("\n");
  return {
    kind: "item",
    description,
    name,
    details: details.join("\n"),
    quantity: "2",
    price: "USD 450.00",
    discount: null,
    undiscounted: null,
    amount: "USD 900.00",
    isSelected: null,
    isOption: false,
    notes: [],
  };
}
