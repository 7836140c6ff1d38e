import {
  asInteger,
  asList,
  asText,
  CopyRefused,
  type CopyState,
  columnsOf,
  DATA_TABLES,
  type DataRow,
  type DataTable,
  type DataTableName,
  type DataTarget,
  type DataValue,
  type Row,
} from "@budgetkit/store-kit";
import pg from "pg";
import { isSearched, notingRows } from "../commit/note-texts.js";
import { readConnectionString } from "../engine/connection-string.js";
import { codeOf, storeFailure } from "../engine/failures.js";
import type { DirectoryKind } from "../engine/layout.js";
import { migrate } from "../engine/migrations.js";
import { nameIn, type SqlValue, sessionOn } from "../engine/session.js";
import { storageSums } from "../limits/storage-use.js";
import { lockSchema } from "../processes/listener.js";
import { SCHEMA } from "../schema.js";
import { attemptIn, IS_UNFINISHED, storing } from "../webhooks/delivery-rows.js";
import { COPY_TABLE, findCopy } from "./copy-state.js";

export interface PostgresTargetOptions {
  /** As in PostgresStoreOptions. */
  readonly schema?: string;
}

const CONNECTS_WITHIN_MS = 5_000;

/**
 * The lock_timeout, unless the connection brings its own. An earlier copy may have died just now: the server finishes its
 * last statement before it closes the connection.
 */
const WAITS_FOR_OTHERS = "10s";

const ROWS_OF_FETCH = 100;

/**
 * A PostgreSQL database as the target of a copy by `copyData` of core. Creates and migrates the schema. An interrupted
 * copy continues where it was; until it is complete, stores on this schema refuse to start.
 * Rejects with StoreUnavailable, and with CopyRefused while another copy runs or a listening store uses the schema.
 */
export async function openPostgresTarget(url: string, options: PostgresTargetOptions = {}): Promise<DataTarget> {
  const { schema = "budgetkit" } = options;
  readConnectionString(url);
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: CONNECTS_WITHIN_MS,
    keepAlive: true,
    application_name: "budgetkit copy",
  });
  pool.on("error", ignore);
  let client: pg.PoolClient | null = null;
  const close = async () => {
    client?.release(true);
    await pool.end();
  };
  try {
    await migrate(pool, schema, SCHEMA);
    client = await pool.connect();
    client.on("error", ignore); // the running statement rejects too
    await takeLock(client, schema);
    return targetOn(client, schema, close);
  } catch (error) {
    await close();
    throw storeFailure(error);
  }
}

/** Locks the schema until the connection ends. */
async function takeLock(client: pg.PoolClient, schema: string): Promise<void> {
  await client.query("SET statement_timeout = 0");
  await client.query(
    "SELECT set_config('lock_timeout', coalesce(nullif(current_setting('lock_timeout'), '0'), $1), false)",
    [WAITS_FOR_OTHERS],
  );
  await client
    .query("SELECT pg_advisory_lock(hashtextextended($1, 0))", [nameIn(schema)("@copies")])
    .catch(refusingWhenTaken(`another copy into the schema "${schema}" is under way`));
  await lockSchema(client, schema).catch(
    refusingWhenTaken(
      `the schema "${schema}" is in use: stop the processes that serve from it before data are copied into it`,
    ),
  );
  await client.query("SET lock_timeout = 0");
}

function refusingWhenTaken(why: string): (error: unknown) => never {
  return (error) => {
    throw codeOf(error) === LOCK_NOT_AVAILABLE ? new CopyRefused(why) : error;
  };
}

/** Runs a statement with names written as `@name`. */
type Run = (sql: string, ...values: readonly SqlValue[]) => Promise<readonly Row[]>;

/** Works on the connection that holds the lock. */
function targetOn(client: pg.PoolClient, schema: string, close: () => Promise<void>): DataTarget {
  const session = sessionOn(client);
  const named = nameIn(schema);

  const run: Run = async (sql, ...values) => {
    try {
      return await session.run({ text: named(sql) }, values);
    } catch (error) {
      throw storeFailure(error);
    }
  };

  async function begin(fingerprint: string): Promise<CopyState> {
    const copy = await findCopy(session, schema);
    if (copy === null) return beginCopy(run, schema, fingerprint);
    if (copy.fingerprint === fingerprint) return copy;
    throw new CopyRefused(
      `a copy into the schema "${schema}" was ${copy.completedAt === null ? "begun" : "completed"} from other data ` +
        "than the source has now: drop the schema to copy what it has now",
    );
  }

  return {
    begin: (fingerprint) => inTransaction(run, () => begin(fingerprint)),

    load: (table, rows, place) =>
      inTransaction(run, async () => {
        await run("SET LOCAL synchronous_commit = off"); // a lost chunk is lost together with its cursor
        if (table.name === "counters") await setCounters(run, named("@event_positions"), rows);
        else await insertRows(run, table, rows);
        await run("UPDATE @copies SET place = $1", JSON.stringify(place));
      }),

    rows: (table) => readRows(run, table),

    complete: async () => {
      const tables = await run("SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = $1", schema);
      for (const [name] of tables) await run(`ANALYZE @${asText(name)}`);
      await run("UPDATE @copies SET completed_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint");
    },

    close,
  };
}

async function inTransaction<T>(run: Run, work: () => Promise<T>): Promise<T> {
  await run("BEGIN");
  try {
    const outcome = await work();
    await run("COMMIT");
    return outcome;
  } catch (error) {
    await run("ROLLBACK").catch(ignore);
    throw error;
  }
}

async function beginCopy(run: Run, schema: string, fingerprint: string): Promise<CopyState> {
  for (const { name } of DATA_TABLES) {
    if (name === "counters") continue; // every schema has them
    const [row] = await run(`SELECT EXISTS (SELECT FROM @${name})`);
    if (row?.[0] !== true) continue;
    throw new CopyRefused(`the schema "${schema}" holds data already (${name}): a copy needs one that is empty`);
  }
  await run(COPY_TABLE);
  await run("INSERT INTO @copies (fingerprint) VALUES ($1)", fingerprint);
  return { place: null, completedAt: null };
}

async function insertRows(run: Run, table: DataTable, rows: readonly DataRow[]): Promise<void> {
  const columns = columnsOf(table);
  const objects = rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
  const list = columns.join(", ");
  const given = `SELECT * FROM json_populate_recordset(NULL::@${table.name}, $1)`;
  if (isSearched(table.name)) await run(notingRows(table.name, `(${given}) AS given`), JSON.stringify(objects));
  await run(
    LOADS[table.name]?.(given) ?? `INSERT INTO @${table.name} (${list}) SELECT ${list} FROM (${given}) AS given`,
    JSON.stringify(objects),
  );
  const led = LED_FROM[table.name];
  if (led !== undefined) await run(leading(led, given), JSON.stringify(objects));
}

/** The digests of rows that the directory leads from, by their tables. The source keeps them unique. */
const LED_FROM: Partial<Record<DataTableName, { readonly kind: DirectoryKind; readonly columns: readonly string[] }>> =
  {
    keys: { kind: "key", columns: ["key_hash", "previous_key_hash"] },
    users: { kind: "email", columns: ["email_key"] },
    budgets: { kind: "link", columns: ["public_token_hash"] },
  };

function leading(
  { kind, columns }: { readonly kind: DirectoryKind; readonly columns: readonly string[] },
  given: string,
): string {
  const digests = columns.map((column) => `SELECT ${column} AS digest, business_id, id FROM given`);
  return `WITH given AS (${given})
    INSERT INTO @directory (kind, digest, business_id, id)
    SELECT '${kind}', digest, business_id, id FROM (${digests.join(" UNION ALL ")}) AS led WHERE digest IS NOT NULL
    ON CONFLICT DO NOTHING`;
}

const addTrails = (table: string) =>
  `UPDATE ${table} AS stored SET trail = concat_ws(',', stored.trail, added.trail) FROM added
   WHERE stored.business_id = added.business_id AND stored.id = added.delivery_id`;

/** How the rows of views are loaded. */
const LOADS: Partial<Record<DataTableName, (given: string) => string>> = {
  deliveries: (given) =>
    `WITH given AS (${given}), ${storing("given", `next_attempt_at IS NULL AND ${IS_UNFINISHED}`)}`,
  attempts: (given) => `WITH added AS (
      SELECT business_id, delivery_id, string_agg(
        ${attemptIn("given", "number")}, ',' ORDER BY number
      ) AS trail
      FROM (${given}) AS given GROUP BY business_id, delivery_id
    ), queued AS (${addTrails("@delivery_queue")})
    ${addTrails("@delivery_log")}`,
};

async function setCounters(run: Run, eventPositions: string, rows: readonly DataRow[]): Promise<void> {
  for (const [name, value] of rows) {
    const next = asInteger(value);
    if (name === "ids") await run("UPDATE @ids SET next = $1", next);
    else if (name === "id_ranges") await run("UPDATE @ids SET next_range = $1", next);
    else await run("SELECT setval($1, $2, $3)", eventPositions, Math.max(1, next), next > 0);
  }
}

async function* readRows(run: Run, table: DataTable): AsyncIterable<DataRow> {
  const next = () => run(`FETCH ${ROWS_OF_FETCH} FROM copied`);
  await run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  try {
    await run(`DECLARE copied NO SCROLL CURSOR FOR ${selectOf(table)}`);
    for (let page = await next(); page.length > 0; page = await next()) {
      for (const row of page) yield row.map(dataValue);
    }
  } finally {
    await run("ROLLBACK").catch(ignore);
  }
}

const COUNTERS = `(
  SELECT 'ids' AS name, next AS value FROM @ids
  UNION ALL
  SELECT 'id_ranges', next_range FROM @ids
  UNION ALL
  SELECT 'event_positions', CASE WHEN is_called THEN last_value ELSE 0 END FROM @event_positions
) AS counters`;

/** Tables of the copy that are not tables here. */
const READ_AS: Partial<Record<DataTableName, string>> = {
  counters: COUNTERS,
  storage_use: `(${storageSums("true")}) AS sums`,
};

function selectOf(table: DataTable): string {
  const columns = columnsOf(table).map((column) => (column === "held" ? "to_json(held)" : column));
  const relation = READ_AS[table.name] ?? `@${table.name}`;
  return `SELECT ${columns.join(", ")} FROM ${relation} ORDER BY ${table.key.join(", ")}`;
}

function dataValue(value: unknown): DataValue {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  return asList(value).map(asText);
}

const LOCK_NOT_AVAILABLE = "55P03";

function ignore(): void {}
