import type { CreateBudget } from "@budgetkit/core";

const LIFETIME_MS = 30 * 24 * 3_600_000;

/** An offer that its customer configures: worktop, island, area of tiles. Prices contain the tax. */
export function kitchenOffer(customerId: string, createdAt: number): CreateBudget {
  return {
    customerId,
    draft: false,
    taxes: [{ id: "vat", name: "VAT", rate: 0.21, inclusive: true }],
    deposit: { rate: 0.3 },
    validUntil: new Date(createdAt + LIFETIME_MS).toISOString(),
    notes: "Choose a worktop. The island and the area of the tiles are yours to decide.",
    items: [
      { kind: "heading", description: "Kitchen" },
      { description: "Cabinets, oak", quantity: 1, unitPrice: 4_850, unitCost: 2_910 },
      { kind: "choice", key: "worktop", description: "Worktop" },
      { description: "Oak, oiled", quantity: 1, unitPrice: 780, unitCost: 415, choice: "worktop", selected: true },
      { description: "Granite", quantity: 1, unitPrice: 1_420, unitCost: 890, choice: "worktop" },
      { description: "Steel", quantity: 1, unitPrice: 1_160, unitCost: 705, choice: "worktop" },
      { description: "Island with drawers", quantity: 1, unitPrice: 2_300, unitCost: 1_380, optional: true },
      {
        description: "Tiles, laid",
        quantity: 20,
        unit: "m²",
        unitPrice: 64,
        unitCost: 38,
        quantityRange: { minimum: 20, maximum: 60, step: 0.5 },
        priceTiers: [
          { from: 30, unitPrice: 59.5 },
          { from: 45, unitPrice: 55 },
        ],
      },
      { kind: "heading", description: "Service" },
      {
        description: "Maintenance",
        quantity: 1,
        unitPrice: 95,
        recurring: { interval: "year", intervalCount: 1, cycles: 3 },
      },
    ],
  };
}
