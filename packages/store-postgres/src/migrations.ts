import { createHash } from "node:crypto";
import type { ClientBase, Pool } from "pg";
import pg from "pg";
import { isLost, isRolledBack, storeFailure } from "./failures.js";
import { asInteger, asText } from "./rows.js";
import { type Session, sessionOn } from "./session.js";
import { nameIn } from "./sql-names.js";

/** One step of the schema. A step that was released is never changed: a later one changes what it made. */
export interface Migration {
  readonly version: number; // from 1, without gaps
  readonly sql: string; // names of the schema written as `@name`
}

/**
 * Applies the steps that are missing. Many processes may do so at once: the steps run under a lock, and whoever waited
 * for it finds them applied.
 * Rejects with an Error when the schema is newer than `migrations`, or made by steps that have changed since.
 */
export async function migrate(pool: Pool, schema: string, migrations: readonly Migration[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await requireReadCommitted(sessionOn(pool));
      if (await isCurrent(sessionOn(pool), schema, migrations)) return;
      await applyMissing(pool, schema, migrations);
      return;
    } catch (error) {
      if (attempt === 3 || !(isLost(error) || isRolledBack(error))) throw storeFailure(error);
    }
  }
}

/** True when every step has been applied, as it is now. Rejects like {@link migrate}. */
export async function isCurrent(session: Session, schema: string, migrations: readonly Migration[]): Promise<boolean> {
  return (await countPending(session, schema, migrations)) === 0;
}

/** How many steps are missing. Rejects like {@link migrate}. */
export async function countPending(
  session: Session,
  schema: string,
  migrations: readonly Migration[],
): Promise<number> {
  const [row] = await session.run({ text: "SELECT to_regclass($1) IS NOT NULL" }, [nameIn(schema)("@migrations")]);
  return row?.[0] === true ? (await missing(session, schema, migrations)).length : migrations.length;
}

/** The functions of the schema lock first and then look; under another isolation they would look at what was before. */
async function requireReadCommitted(session: Session): Promise<void> {
  const [row] = await session.run({ text: "SELECT current_setting('default_transaction_isolation')" }, []);
  if (row?.[0] === "read committed") return;
  throw new Error(
    `default_transaction_isolation is "${asText(row?.[0])}" on these connections, and @budgetkit/store-postgres needs ` +
      '"read committed": set it for the role or the pool, with the option "-c default_transaction_isolation=read\\ committed"',
  );
}

/**
 * A step over large tables takes its time, and so does waiting for whoever is at it. The server is told by SET LOCAL; the
 * driver would give up by itself after what the pool allows an answer, unless it is given the longest that a timer takes.
 */
const UNHURRIED = { query_timeout: 2 ** 31 - 1 };

async function applyMissing(pool: Pool, schema: string, migrations: readonly Migration[]): Promise<void> {
  const client = await pool.connect();
  const ignore = () => {}; // a lost connection fails the statement that is under way; the client tells of it beside that
  client.on("error", ignore);
  let failure: Error | undefined;
  try {
    await client.query("BEGIN");
    await client.query("SET LOCAL statement_timeout = 0");
    await client.query("SET LOCAL lock_timeout = 0");
    await client.query({
      text: "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
      values: [nameIn(schema)("@migrations")],
      ...UNHURRIED,
    });
    await apply(client, schema, migrations);
    await client.query("COMMIT");
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    if (failure === undefined) client.off("error", ignore);
    client.release(failure); // with a failure the connection is ended, and with it the transaction
  }
}

async function apply(client: ClientBase, schema: string, migrations: readonly Migration[]): Promise<void> {
  const named = nameIn(schema);
  const { rows } = await client.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema]);
  if (rows.length === 0) await client.query(`CREATE SCHEMA ${pg.escapeIdentifier(schema)}`);
  await client.query(
    named("CREATE TABLE IF NOT EXISTS @migrations (version integer PRIMARY KEY, checksum text NOT NULL)"),
  );
  const session = sessionOn(client);
  for (const migration of await missing(session, schema, migrations)) {
    await client.query({ text: named(migration.sql), ...UNHURRIED });
    await client.query(named("INSERT INTO @migrations (version, checksum) VALUES ($1, $2)"), [
      migration.version,
      checksumOf(migration),
    ]);
  }
}

async function missing(
  session: Session,
  schema: string,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const text = nameIn(schema)("SELECT version, checksum FROM @migrations ORDER BY version DESC");
  const applied = new Map(
    (await session.run({ text }, [])).map(([version, checksum]) => [asInteger(version), asText(checksum)]),
  );
  const known = new Set(migrations.map(({ version }) => version));
  for (const version of applied.keys()) {
    if (known.has(version)) continue;
    throw new Error(
      `the schema "${schema}" is at version ${version}, newer than this release of @budgetkit/store-postgres ` +
        `knows (${migrations.length}): update the package`,
    );
  }
  return migrations.filter((migration) => {
    const checksum = applied.get(migration.version);
    if (checksum !== undefined && checksum !== checksumOf(migration)) {
      throw new Error(
        `migration ${migration.version} of the schema "${schema}" was applied with other contents than this release ` +
          "has: the schema was made by a modified or unreleased version of the package",
      );
    }
    return checksum === undefined;
  });
}

function checksumOf(migration: Migration): string {
  return createHash("sha256").update(migration.sql).digest("hex");
}
