import type { Database } from "better-sqlite3";
import { type BudgetRow, budgetJson, type ItemRow } from "./budget-json.js";
import { hashOf } from "./database.js";

export const BUDGET = `
  SELECT id, version, status, customer_id AS customerId, customer_name AS customerName,
    customer_email AS customerEmail, currency, subtotal, discount, tax, total, notes, metadata,
    valid_until AS validUntil, created_at AS createdAt, updated_at AS updatedAt
  FROM budgets`;
export const ITEM_COLUMNS = `position, product_id AS productId, product_name AS productName, product_sku AS productSku,
  description, quantity, unit_price AS unitPrice, total, tax, discount`;

/** The reads of the hand-written servers: prepared once, synchronous, and each gives the text of the answer. */
export function prepareQueries(database: Database) {
  const key = database.prepare<[string], { business: number }>(
    "SELECT business_id AS business FROM api_keys WHERE key_hash = ? AND status = 'ACTIVE'",
  );
  const budget = database.prepare<[number, number], BudgetRow>(`${BUDGET} WHERE business_id = ? AND id = ?`);
  const items = database.prepare<[number], ItemRow>(
    `SELECT ${ITEM_COLUMNS} FROM items WHERE budget_id = ? ORDER BY position`,
  );
  const document = database
    .prepare<[number, number], string>("SELECT document FROM documents WHERE business_id = ? AND id = ?")
    .pluck();
  const count = database.prepare<[number], number>("SELECT count(*) FROM budgets WHERE business_id = ?").pluck();
  const countOfStatus = database
    .prepare<[number, string], number>("SELECT count(*) FROM budgets WHERE business_id = ? AND status = ?")
    .pluck();
  const page = database.prepare<[number], BudgetRow>(
    `${BUDGET} WHERE business_id = ? ORDER BY created_at DESC, id DESC LIMIT 10`,
  );
  const pageOfStatus = database.prepare<[number, string], BudgetRow>(
    `${BUDGET} WHERE business_id = ? AND status = ? ORDER BY created_at DESC, id DESC LIMIT 10`,
  );

  return {
    /** The business of a key; null = there is no such key. */
    businessOf: (presented: string): number | null => key.get(hashOf(presented))?.business ?? null,

    budget: (business: number, id: number): string | null => {
      const row = budget.get(business, id);
      return row === undefined ? null : JSON.stringify({ data: budgetJson(row, items.all(id)) });
    },

    document: (business: number, id: number): string | null => {
      const found = document.get(business, id);
      return found === undefined ? null : `{"data":${found}}`;
    },

    list: (business: number, status: string | null): string => {
      const total = status === null ? count.get(business) : countOfStatus.get(business, status);
      const rows = status === null ? page.all(business) : pageOfStatus.all(business, status);
      const data = rows.map((row) => budgetJson(row, items.all(row.id)));
      return JSON.stringify({ data, pagination: { page: 1, limit: 10, total } });
    },
  };
}
