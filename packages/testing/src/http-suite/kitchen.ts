/**
 * An offer that leaves much open: one of three worktops, an island, tiles by the square metre, and maintenance of three
 * years. Prices contain the tax, and 30 % is paid in advance.
 */
export const KITCHEN = {
  currency: "EUR",
  taxRate: undefined,
  taxes: [{ id: "iva", name: "IVA", rate: 0.21, inclusive: true }],
  deposit: { rate: 0.3 },
  items: [
    { description: "Cupboards", quantity: 1, unitPrice: 4_000 },
    { kind: "choice", key: "worktop", description: "Worktop" },
    { description: "Oak", quantity: 1, unitPrice: 900, choice: "worktop" },
    { description: "Granite", quantity: 1, unitPrice: 1_500, choice: "worktop" },
    { description: "Steel", quantity: 1, unitPrice: 1_250, choice: "worktop" },
    { description: "Island", quantity: 1, unitPrice: 2_000, optional: true },
    {
      description: "Tiles",
      quantity: 30,
      unit: "m²",
      quantityRange: { minimum: 20, maximum: 60, step: 0.5 },
      priceTiers: [
        { from: 20, unitPrice: 40 },
        { from: 40, unitPrice: 36 },
      ],
    },
    {
      description: "Maintenance",
      quantity: 1,
      unitPrice: 121,
      recurring: { interval: "year", cycles: 3 },
    },
  ],
} as const;
