import type { Database } from "better-sqlite3";
import { customerOf, productOf, sampleBudget } from "../data/sample-budgets.js";
import { type BudgetRow, budgetJson, type ItemRow } from "./budget-json.js";

export const BUSINESS = 1;

/** Column names of the two tables, in the order in which rows are inserted. */
export const BUDGET_COLUMNS = [
  "id",
  "business_id",
  "version",
  "status",
  "customer_id",
  "customer_name",
  "customer_email",
  "currency",
  "subtotal",
  "discount",
  "tax",
  "total",
  "notes",
  "metadata",
  "valid_until",
  "created_at",
  "updated_at",
];
export const ITEM_COLUMNS = [
  "budget_id",
  "position",
  "product_id",
  "product_name",
  "product_sku",
  "description",
  "quantity",
  "unit_price",
  "total",
  "tax",
  "discount",
];

export function prepareInserts(database: Database) {
  return {
    budget: database.prepare(insertInto("budgets", BUDGET_COLUMNS)),
    item: database.prepare(insertInto("items", ITEM_COLUMNS)),
    document: database.prepare(insertInto("documents", ["business_id", "id", "document"])),
    outbox: database.prepare(insertInto("outbox", ["business_id", "type", "occurred_at", "payload"])),
  };
}
export type Inserts = ReturnType<typeof prepareInserts>;

function insertInto(table: string, columns: readonly string[]): string {
  return `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
}

/** One of the sample budgets, in rows and as a document. */
export function insertBudget(inserts: Inserts, index: number): void {
  const { budget, items } = sampleRows(index);
  inserts.budget.run(...budgetValues(budget));
  for (const item of items) inserts.item.run(...itemValues(budget.id, item));
  inserts.document.run(BUSINESS, budget.id, JSON.stringify(budgetJson(budget, items)));
}

export interface BudgetRows {
  readonly budget: BudgetRow;
  readonly items: readonly ItemRow[];
}

/** One of the sample budgets in rows. */
export function sampleRows(index: number): BudgetRows {
  const id = index + 1;
  const budget = sampleBudget(index, { businessId: String(BUSINESS), id: String(id) });
  const customer = customerOf(index);
  const items = budget.items.map((item, position) => {
    const { name, sku } = productOf(index, position);
    return {
      position: position + 1,
      productId: item.productId,
      productName: name,
      productSku: sku,
      description: item.description,
      quantity: item.quantity,
      unitPrice: item.unitPrice,
      total: item.total / 100,
      tax: item.tax / 100,
      discount: 0,
    };
  });
  const row = {
    id,
    version: budget.version,
    status: budget.status,
    customerId: customer.id,
    customerName: customer.name,
    customerEmail: customer.email,
    currency: budget.currency,
    subtotal: budget.subtotal / 100,
    discount: 0,
    tax: budget.tax / 100,
    total: budget.total / 100,
    notes: budget.notes,
    metadata: JSON.stringify(budget.metadata),
    validUntil: new Date(budget.validUntil ?? 0).toISOString(),
    createdAt: new Date(budget.createdAt).toISOString(),
    updatedAt: new Date(budget.updatedAt).toISOString(),
  };
  return { budget: row, items };
}

/** The values of a row, in the order of its columns. */
export function budgetValues({ id, ...columns }: BudgetRow): (string | number | null)[] {
  return [id, BUSINESS, ...Object.values(columns)];
}

export function itemValues(budgetId: number, item: ItemRow): (string | number | null)[] {
  const { position, productId, productName, productSku, description, quantity, unitPrice, total, tax, discount } = item;
  const sums = [total, tax, discount];
  return [budgetId, position, productId, productName, productSku, description, quantity, unitPrice, ...sums];
}
