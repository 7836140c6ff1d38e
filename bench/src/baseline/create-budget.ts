import type { Database } from "better-sqlite3";
import { budgetJson } from "./budget-json.js";
import { prepareInserts } from "./inserts.js";

/** What the body is taken to be: nothing of it is checked. */
interface NewBudget {
  readonly customerId: string;
  readonly notes: string;
  readonly taxRate: number;
  readonly metadata: unknown;
  readonly items: readonly {
    readonly productId: string;
    readonly description: string;
    readonly quantity: number;
    readonly unitPrice: number;
  }[];
}

/** Writes a budget, its items and the outbox row in a transaction of the request's own, and gives the answer. */
export function prepareCreate(database: Database): (business: number, body: string) => string {
  const inserts = prepareInserts(database);
  const lastId = database.prepare<[], number | null>("SELECT max(id) FROM budgets").pluck();
  let id = lastId.get() ?? 0;

  const write = database.transaction((business: number, given: NewBudget) => {
    id += 1;
    const now = new Date().toISOString();
    const items = given.items.map((item, index) => {
      const total = round(item.quantity * item.unitPrice);
      const tax = round(total * given.taxRate);
      return { position: index + 1, productName: null, productSku: null, ...item, total, tax, discount: 0 };
    });
    const subtotal = round(items.reduce((sum, item) => sum + item.total, 0));
    const tax = round(subtotal * given.taxRate);
    const row = {
      id,
      version: 1,
      status: "PENDING",
      customerId: given.customerId,
      customerName: null,
      customerEmail: null,
      currency: "USD",
      subtotal,
      discount: 0,
      tax,
      total: round(subtotal + tax),
      notes: given.notes,
      metadata: JSON.stringify(given.metadata),
      validUntil: null,
      createdAt: now,
      updatedAt: now,
    };
    const { id: _, ...columns } = row;
    inserts.budget.run(id, business, ...Object.values(columns));
    for (const { position, productId, productName, productSku, description, quantity, unitPrice, ...sums } of items) {
      const { total, discount } = sums;
      const values = [productId, productName, productSku, description, quantity, unitPrice, total, sums.tax, discount];
      inserts.item.run(id, position, ...values);
    }
    const answer = JSON.stringify({ data: budgetJson(row, items) });
    inserts.outbox.run(business, "budget.created", now, answer);
    return answer;
  });

  return (business, body) => write.immediate(business, JSON.parse(body));
}

function round(amount: number): number {
  return Math.round(amount * 100) / 100;
}
