import type { CreateBudget } from "@budgetkit/core";

const option = { choice: "worktop", unit: "m", quantity: 3.2 } as const;

type Kitchen = Omit<CreateBudget, "customerId">;

/** A kitchen: one of three worktops, an island or none, 20 to 60 m² of tiles, and maintenance each year. */
export function kitchen(selectsQuartz = true): Kitchen {
  return {
    items: [
      { kind: "heading", description: "Furniture" },
      {
        description: "Base units, solid oak\n3.20 m, six drawers that close softly",
        quantity: 1,
        unitPrice: 1_480_000,
      },
      { description: "Wall units\n2.40 m, oak fronts", quantity: 1, unitPrice: 960_000, discountRate: 0.1 },
      { kind: "heading", description: "Worktop and tiles" },
      { kind: "choice", key: "worktop", description: "Choose the worktop", minimum: 1, maximum: 1 },
      { ...option, description: "Grey quartz\n20 mm, straight edge", unitPrice: 215_000, selected: selectsQuartz },
      { ...option, description: "Black granite\n20 mm, polished", unitPrice: 165_000 },
      {
        description: "Tiles, laid",
        quantity: 28,
        unit: "m²",
        unitPrice: 24_000,
        priceTiers: [{ from: 40, unitPrice: 21_500 }],
        quantityRange: { minimum: 20, maximum: 60, step: 0.5 },
      },
      { ...option, description: "Oiled oak\n38 mm, solid", unitPrice: 140_000 }, // an option, wherever it stands
      { description: "Island with drawers\n1.40 × 0.80 m, same wood", quantity: 1, unitPrice: 720_000, optional: true },
      { kind: "heading", description: "Service" },
      { description: "Delivery and assembly", quantity: 1, unitPrice: 180_000 },
      {
        description: "Yearly maintenance",
        quantity: 1,
        unitPrice: 95_000,
        recurring: { interval: "year", intervalCount: 1, cycles: 3 },
      },
    ],
    taxes: [{ id: "iva", name: "IVA", rate: 0.21, inclusive: true }],
    deposit: { rate: 0.3 },
  };
}
