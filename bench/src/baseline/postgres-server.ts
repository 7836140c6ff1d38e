import type { IncomingMessage, ServerResponse } from "node:http";
import pg from "pg";
import { listenOn } from "../harness/listen-on.js";
import type { Listening, ServerOptions } from "../harness/server-protocol.js";
import { type BudgetRow, budgetJson, type ItemRow } from "./budget-json.js";
import { hashOf } from "./database.js";
import { readBody, send, sendFound } from "./node-server.js";
import { READ_BUDGET, READ_ITEMS } from "./postgres-reads.js";
import { createAtOnce, createInTransaction } from "./postgres-writes.js";

/** node:http and pg, and of everything else no more than a key, which is looked up once and then known. */
export async function listen({ path }: ServerOptions): Promise<Listening> {
  const pool = new pg.Pool({ connectionString: path });
  const businesses = new Map<string, number>();
  const { rows: last } = await pool.query("SELECT max(id) AS id FROM budgets");
  let id = Number(last[0]?.id);
  const creates = { "/budgets": createInTransaction(pool), "/budgets/at-once": createAtOnce(pool) };

  async function businessOf(presented: string): Promise<number | null> {
    const hash = hashOf(presented);
    const known = businesses.get(hash);
    if (known !== undefined) return known;
    const { rows } = await pool.query("SELECT business_id FROM api_keys WHERE key_hash = $1", [hash]);
    if (rows[0] === undefined) return null;
    businesses.set(hash, rows[0].business_id);
    return rows[0].business_id;
  }

  async function find(business: number, budgetId: number): Promise<string | null> {
    const budgets = await pool.query<BudgetRow>({ ...READ_BUDGET, values: [business, budgetId] });
    const [row] = budgets.rows;
    if (row === undefined) return null;
    const items = await pool.query<ItemRow>({ ...READ_ITEMS, values: [budgetId] });
    return JSON.stringify({ data: budgetJson(row, items.rows) });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const business = await businessOf(request.headers.authorization?.slice("Bearer ".length) ?? "");
    const url = request.url ?? "/";
    if (business === null) {
      send(response, 401, '{"error":"unauthorized"}');
    } else if (url === "/budgets" || url === "/budgets/at-once") {
      readBody(request, async (body) => {
        id += 1;
        send(response, 201, await creates[url](id, JSON.parse(body)));
      });
    } else {
      sendFound(response, await find(business, Number(url.slice("/budgets/".length))));
    }
  }

  return { port: await listenOn((request, response) => void answer(request, response)), synchronous: null };
}
