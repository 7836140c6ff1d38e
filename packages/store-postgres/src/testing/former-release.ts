import { readFileSync } from "node:fs";
import pg from "pg";
import { checksumOf } from "../engine/migrations.js";
import { nameIn } from "../engine/session.js";

/** The only step of the first release, tables and functions together, as that release applied it. */
const FORMER_SQL = readFileSync(new URL("./former-schema.sql", import.meta.url), "utf8");

/** Rows that the first release wrote, at least one for each table. */
const FORMER_ROWS: Readonly<Record<string, readonly unknown[]>> = JSON.parse(
  readFileSync(new URL("./former-rows.json", import.meta.url), "utf8"),
);

/** Makes the schema as the first release left it, with rows in every table. */
export async function makeFormerSchema(pool: pg.Pool, schema: string): Promise<void> {
  const named = nameIn(schema);
  await pool.query(`CREATE SCHEMA ${pg.escapeIdentifier(schema)}`);
  await pool.query(named("CREATE TABLE @migrations (version integer PRIMARY KEY, checksum text NOT NULL)"));
  await pool.query(named(FORMER_SQL));
  await pool.query(named("INSERT INTO @migrations VALUES (1, $1)"), [checksumOf(FORMER_SQL)]);
  await pool.query(named("DELETE FROM @ids"));
  for (const [table, rows] of Object.entries(FORMER_ROWS)) await insertRows(pool, schema, table, rows);
  await pool.query(named("SELECT setval('@event_sequence', 1000)"));
}

async function insertRows(pool: pg.Pool, schema: string, table: string, rows: readonly unknown[]): Promise<void> {
  const { rows: columns } = await pool.query(
    `SELECT string_agg(column_name, ', ') AS list FROM information_schema.columns
     WHERE table_schema = $1 AND table_name = $2 AND is_generated = 'NEVER'`,
    [schema, table],
  );
  const list = String(columns[0]?.list);
  const sql = `INSERT INTO @${table} (${list}) SELECT ${list} FROM json_populate_recordset(NULL::@${table}, $1)`;
  await pool.query(nameIn(schema)(sql), [JSON.stringify(rows)]);
}
