import type pg from "pg";
import { budgetJson } from "./budget-json.js";
import { type NewBudget, newRows } from "./create-budget.js";
import { BUDGET_COLUMNS, BUSINESS, type BudgetRows, budgetValues, ITEM_COLUMNS, itemValues } from "./inserts.js";

const ITEMS = 3;

const BUDGET = `INSERT INTO budgets (${BUDGET_COLUMNS.join(", ")}) VALUES (${marks(1, BUDGET_COLUMNS.length)})`;
const OUTBOX = "INSERT INTO outbox (business_id, type, occurred_at, payload) VALUES";

function items(from: number): string {
  const rows = Array.from(
    { length: ITEMS },
    (_, row) => `(${marks(from + row * ITEM_COLUMNS.length, ITEM_COLUMNS.length)})`,
  );
  return `INSERT INTO items (${ITEM_COLUMNS.join(", ")}) VALUES ${rows.join(", ")}`;
}

function marks(from: number, count: number): string {
  return Array.from({ length: count }, (_, index) => `$${from + index}`).join(", ");
}

export const WRITE_BUDGET = { name: "budget", text: BUDGET };
export const WRITE_ITEMS = { name: "items", text: items(1) };
export const WRITE_OUTBOX = { name: "outbox", text: `${OUTBOX} (${marks(1, 4)})` };

const ITEMS_FROM = BUDGET_COLUMNS.length + 1;
const OUTBOX_FROM = ITEMS_FROM + ITEMS * ITEM_COLUMNS.length;
export const WRITE_ALL = {
  name: "all",
  text: `WITH budget AS (${BUDGET}), items AS (${items(ITEMS_FROM)}) ${OUTBOX} (${marks(OUTBOX_FROM, 4)})`,
};

/** Writes a budget of three items and its outbox row, and gives the answer. */
export type Create = (id: number, given: NewBudget) => Promise<string>;

/** In a transaction of the request's own, a statement a table. */
export function createInTransaction(pool: pg.Pool): Create {
  return async (id, given) => {
    const rows = newRows(id, given);
    const answer = answerOf(rows);
    const client = await pool.connect();
    try {
      await client.query("BEGIN");
      const { budget, items, outbox } = valuesOf(rows, answer);
      await client.query({ ...WRITE_BUDGET, values: budget });
      await client.query({ ...WRITE_ITEMS, values: items });
      await client.query({ ...WRITE_OUTBOX, values: outbox });
      await client.query("COMMIT");
    } finally {
      client.release();
    }
    return answer;
  };
}

/** The same rows in one statement. */
export function createAtOnce(pool: pg.Pool): Create {
  return async (id, given) => {
    const rows = newRows(id, given);
    const answer = answerOf(rows);
    const { budget, items, outbox } = valuesOf(rows, answer);
    await pool.query({ ...WRITE_ALL, values: [...budget, ...items, ...outbox] });
    return answer;
  };
}

/** Adds budgets as they are. */
export async function insertRows(client: pg.Client, rows: BudgetRows): Promise<void> {
  const { budget, items } = valuesOf(rows, "");
  await client.query({ ...WRITE_BUDGET, values: budget });
  await client.query({ ...WRITE_ITEMS, values: items });
}

type Value = string | number | null;

/** What each statement is given. */
export function valuesOf(
  { budget, items }: BudgetRows,
  answer: string,
): Record<"budget" | "items" | "outbox", Value[]> {
  return {
    budget: budgetValues(budget),
    items: items.flatMap((item) => itemValues(budget.id, item)),
    outbox: [BUSINESS, "budget.created", budget.createdAt, answer],
  };
}

export function answerOf({ budget, items }: BudgetRows): string {
  return JSON.stringify({ data: budgetJson(budget, items) });
}
