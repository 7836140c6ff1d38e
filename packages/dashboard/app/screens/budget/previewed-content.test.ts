import type { Budget } from "@budgetkit/client";
import { describe, expect, it } from "vitest";
import { previewedContent } from "./previewed-content.js";

const budget: Budget = {
  id: "7",
  version: 2,
  revision: 1,
  customerId: "ana",
  status: "DRAFT",
  total: 121,
  subtotal: 100,
  tax: 21,
  discount: 5,
  paid: 0,
  currency: "ARS",
  taxRate: 0.21,
  validUntil: null,
  notes: null,
  metadata: {},
  createdAt: "2026-11-27T00:00:00.000Z",
  updatedAt: "2026-11-27T00:00:00.000Z",
  createdBy: "user:7",
  approvedAt: null,
  approvedBy: null,
  acceptance: null,
  customer: { id: "ana", name: "Ana", email: null },
  availableActions: [],
  items: [
    { id: "1", kind: "heading", description: "Kitchen" },
    { id: "2", description: "Oak", quantity: 2, unitPrice: 50, total: 100, tax: 21, discount: 0, unit: "m" },
    { id: "3", kind: "subtotal", total: 100 },
  ],
};

describe("previewedContent", () => {
  it("keeps what was typed and leaves out what was computed", () => {
    expect(previewedContent(budget)).toEqual({
      budgetId: "7",
      currency: "ARS",
      discountAmount: 5,
      notes: null,
      taxRate: 0.21,
      validUntil: null,
      items: [
        { id: "1", kind: "heading", description: "Kitchen" },
        { id: "2", description: "Oak", quantity: 2, unitPrice: 50, unit: "m" },
        { id: "3", kind: "subtotal" },
      ],
    });
  });

  it("the content of a preview has taxes in place of a rate, without their amounts", () => {
    const tax = { id: "iva", name: "IVA", rate: 0.21, kind: "tax", inclusive: false, on: [] } as const;
    const content = previewedContent({ ...budget, taxRate: null, taxes: [{ ...tax, on: [], base: 100, amount: 21 }] });
    expect(content.taxes).toEqual([tax]);
    expect(content).not.toHaveProperty("taxRate");
  });
});
