import { asText } from "@budgetkit/store-kit";
import pg, { type Pool } from "pg";
import { storeFailure } from "../engine/failures.js";
import { nameIn, type Session, sessionOn } from "../engine/session.js";
import { inTransaction } from "../engine/transactions.js";
import { COORDINATED, PLACEMENTS } from "./placements.js";

const DISTRIBUTED = Object.entries(PLACEMENTS).flatMap(([table, placement]) =>
  "by" in placement ? [{ table, by: placement.by }] : [],
);

/** Whether the business tables of the schema are distributed by Citus. Rejects when the database cannot be reached. */
export async function isDistributed(
  connectionString: string,
  { schema = "budgetkit" }: { readonly schema?: string } = {},
): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECTS_WITHIN_MS });
  client.on("error", () => {}); // the statement under way rejects too
  try {
    await client.connect();
    return await areTablesDistributed(sessionOn(client), schema);
  } finally {
    await client.end();
  }
}

const CONNECTS_WITHIN_MS = 5_000;

/** The same on a connection that is there. */
export async function areTablesDistributed(session: Session, schema: string): Promise<boolean> {
  const [extension] = await session.run({ text: "SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL" }, []);
  if (extension?.[0] !== true) return false;
  return (await tablesOfCitus(session, schema)).has("businesses");
}

async function tablesOfCitus(session: Session, schema: string): Promise<ReadonlySet<string>> {
  const rows = await session.run(
    {
      text: `SELECT relname FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid
        WHERE relnamespace = to_regnamespace(quote_ident($1))`,
    },
    [schema],
  );
  return new Set(rows.map(([name]) => asText(name)));
}

/** A table of millions of rows takes seconds each, and all processes wait for it. */
const NO_TIMEOUT = { query_timeout: 2 ** 31 - 1 };

/**
 * Distributes the business tables of a migrated schema over the workers, those that are not distributed yet. Any number of
 * processes may call it at once. It moves the rows that are there, and locks their tables until the end: stop the processes
 * that serve from them before.
 */
export async function distribute(pool: Pool, schema: string): Promise<void> {
  const named = nameIn(schema);
  await inTransaction(pool, async (client) => {
    const run = (text: string, ...values: string[]) => client.query({ text: named(text), values, ...NO_TIMEOUT });
    const { rows } = await run("SELECT FROM pg_extension WHERE extname = 'citus'");
    if (rows.length === 0)
      throw new Error("the database lacks the extension citus: CREATE EXTENSION citus, and add the workers");
    await run("SET LOCAL statement_timeout = 0");
    await run("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", named("@migrations"));
    await run("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
    const there = await tablesOfCitus(sessionOn(client), schema);
    for (const { table, by } of DISTRIBUTED) {
      if (there.has(table)) continue;
      const beside = table === "businesses" ? "default" : named("@businesses");
      await run("SELECT create_distributed_table($1, $2, colocate_with => $3)", named(`@${table}`), by, beside);
    }
    if (!there.has(COORDINATED)) await run("SELECT citus_add_local_table_to_metadata($1)", named(`@${COORDINATED}`));
    await planForValues(run, schema);
  }).catch((error: unknown) => {
    throw storeFailure(error);
  });
}

/** Citus finds the node of a statement by the values. A generic plan has none. */
async function planForValues(
  run: (text: string, ...values: string[]) => Promise<{ readonly rows: readonly Record<string, unknown>[] }>,
  schema: string,
): Promise<void> {
  const { rows } = await run(
    `SELECT oid::regprocedure::text AS signature FROM pg_proc
     WHERE pronamespace = to_regnamespace(quote_ident($1))
       AND 'plan_cache_mode=force_generic_plan' = ANY (proconfig)`,
    schema,
  );
  for (const { signature } of rows)
    await run(`ALTER FUNCTION ${asText(signature)} SET plan_cache_mode = force_custom_plan`);
}
