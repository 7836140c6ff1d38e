import type { Database } from "better-sqlite3";
import { budgetJson } from "./budget-json.js";
import { type BudgetRows, budgetValues, itemValues, prepareInserts } from "./inserts.js";

/** What the body is taken to be: nothing of it is checked. */
export interface NewBudget {
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
    const { budget, items } = newRows(id, given);
    inserts.budget.run(...budgetValues(budget));
    for (const item of items) inserts.item.run(...itemValues(id, item));
    const answer = JSON.stringify({ data: budgetJson(budget, items) });
    inserts.outbox.run(business, "budget.created", budget.createdAt, answer);
    return answer;
  });

  return (business, body) => write.immediate(business, JSON.parse(body));
}

/** The rows of a budget that is asked for. */
export function newRows(id: number, given: NewBudget): BudgetRows {
  const now = new Date().toISOString();
  const items = given.items.map((item, index) => {
    const total = round(item.quantity * item.unitPrice);
    const tax = round(total * given.taxRate);
    return { position: index + 1, productName: null, productSku: null, ...item, total, tax, discount: 0 };
  });
  const subtotal = round(items.reduce((sum, item) => sum + item.total, 0));
  const tax = round(subtotal * given.taxRate);
  const budget = {
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
  return { budget, items };
}

function round(amount: number): number {
  return Math.round(amount * 100) / 100;
}
