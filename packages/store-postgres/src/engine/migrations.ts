import { createHash } from "node:crypto";
import { asInteger, asList, asText } from "@budgetkit/store-kit";
import type { ClientBase, Pool } from "pg";
import pg from "pg";
import { isLost, isRolledBack, storeFailure } from "./failures.js";
import { nameIn, type Session, sessionOn } from "./session.js";
import { inTransaction } from "./transactions.js";

/** A numbered step: tables, indexes, types. Its text never changes after the release; a later step changes the tables. */
export interface Migration {
  readonly version: number; // from 1, without gaps
  readonly sql: string; // names of the schema written as `@name`
  /** Changes of data that SQL cannot express, after the SQL and in its transaction. */
  readonly rewrite?: (session: Session, named: (sql: string) => string) => Promise<void>;
  /** Checksums under which earlier releases recorded a step with the same result. */
  readonly formerChecksums?: readonly string[];
}

/** What a release expects in its schema. */
export interface SchemaDefinition {
  readonly migrations: readonly Migration[];
  /**
   * `CREATE OR REPLACE FUNCTION @name(…)` statements. They are applied whenever this text differs from the one applied
   * last, after the numbered steps.
   */
  readonly functions: string;
  /** Raised with every change of `functions`. A schema with a higher one is newer than the release. */
  readonly functionsVersion: number;
  /**
   * The table that a batch of writes uses before all others. The steps wait for the batches that run, and those that follow
   * wait here for the steps, before they have locked another table: otherwise they and the steps deadlock. Default: none.
   */
  readonly firstWritten?: string;
}

/** What a schema lacks. */
interface Pending {
  readonly migrations: readonly Migration[];
  readonly functions: boolean;
}

/**
 * Applies what is pending. Any number of processes may call it at once: one applies the steps under a lock, in one
 * transaction, and the others find them applied. Steps are applied in the order of the definition.
 * Rejects with an Error when the schema is newer than the release, or when a numbered step has changed since it was
 * applied.
 */
export async function migrate(pool: Pool, schema: string, definition: SchemaDefinition): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await requireReadCommitted(sessionOn(pool));
      if (await isCurrent(sessionOn(pool), schema, definition)) return;
      await applyPending(pool, schema, definition);
      return;
    } catch (error) {
      if (attempt === 3 || !(isLost(error) || isRolledBack(error))) throw storeFailure(error);
    }
  }
}

/** True when nothing is pending. Rejects like {@link migrate}. */
export async function isCurrent(session: Session, schema: string, definition: SchemaDefinition): Promise<boolean> {
  return (await countPending(session, schema, definition)) === 0;
}

/** The number of pending steps; changed functions count as one. Rejects like {@link migrate}. */
export async function countPending(session: Session, schema: string, definition: SchemaDefinition): Promise<number> {
  const { migrations, functions } = await findPending(session, schema, definition);
  return migrations.length + (functions ? 1 : 0);
}

/** Functions lock first and then read. Under a stricter isolation level they would read a snapshot from before the lock. */
async function requireReadCommitted(session: Session): Promise<void> {
  const [row] = await session.run({ text: "SELECT current_setting('default_transaction_isolation')" }, []);
  if (row?.[0] === "read committed") return;
  throw new Error(
    `default_transaction_isolation is "${asText(row?.[0])}" on these connections, and @budgetkit/store-postgres needs ` +
      '"read committed": set it for the role or the pool, with the option "-c default_transaction_isolation=read\\ committed"',
  );
}

/** The longest timer: a step over large tables takes as long as it takes, and so does waiting for another process. */
const NO_TIMEOUT = { query_timeout: 2 ** 31 - 1 };

async function applyPending(pool: Pool, schema: string, definition: SchemaDefinition): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query("SET LOCAL statement_timeout = 0");
    await client.query("SET LOCAL lock_timeout = 0");
    await client.query({
      text: "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
      values: [nameIn(schema)("@migrations")],
      ...NO_TIMEOUT,
    });
    await apply(client, schema, definition);
  });
}

/** One row: the functions that were applied last. Signatures are written as in the text, with `@name`. */
const BOOKKEEPING = `
  CREATE TABLE IF NOT EXISTS @migrations (version integer PRIMARY KEY, checksum text NOT NULL);
  CREATE TABLE IF NOT EXISTS @schema_functions (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    version integer NOT NULL DEFAULT 0,
    checksum text NOT NULL,
    signatures text[] NOT NULL
  );
`;

async function apply(client: ClientBase, schema: string, definition: SchemaDefinition): Promise<void> {
  const named = nameIn(schema);
  const session = sessionOn(client);
  const untimed: Session = { run: (statement, values) => session.run({ ...statement, ...NO_TIMEOUT }, values) };
  const { rows } = await client.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema]);
  if (rows.length === 0) await client.query(`CREATE SCHEMA ${pg.escapeIdentifier(schema)}`);
  await client.query(named(BOOKKEEPING));
  const pending = await findPending(session, schema, definition);
  if (pending.functions || pending.migrations.length > 0) await holdWriters(untimed, named, definition);
  for (const { version, sql, rewrite } of pending.migrations) {
    await client.query({ text: named(sql), ...NO_TIMEOUT });
    await rewrite?.(untimed, named);
    await client.query(named("INSERT INTO @migrations (version, checksum) VALUES ($1, $2)"), [
      version,
      checksumOf(sql),
    ]);
  }
  if (pending.functions) await replaceFunctions(client, named, definition);
}

async function holdWriters(
  session: Session,
  named: (sql: string) => string,
  { firstWritten }: SchemaDefinition,
): Promise<void> {
  if (firstWritten === undefined) return;
  const table = named(`@${firstWritten}`);
  const [found] = await session.run({ text: "SELECT to_regclass($1) IS NOT NULL" }, [table]);
  if (found?.[0] === true) await session.run({ text: `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE` }, []);
}

/**
 * Drops the functions of the last text whose signature the new text lacks, and replaces the others in place, so that a
 * process that calls one meanwhile finds it. Functions that the host has made in the schema are never recorded, and so
 * never dropped.
 */
async function replaceFunctions(
  client: ClientBase,
  named: (sql: string) => string,
  { functions, functionsVersion }: SchemaDefinition,
): Promise<void> {
  const session = sessionOn(client);
  const signatures = signaturesIn(functions);
  const [last] = await session.run({ text: named("SELECT to_json(signatures) FROM @schema_functions") }, []);
  for (const signature of asList(last?.[0] ?? []).map(asText)) {
    if (signatures.includes(signature)) continue;
    const dropped = signature.replace(DEFAULTS, "");
    await client.query(named(`DROP FUNCTION IF EXISTS ${dropped.slice(0, dropped.indexOf(")") + 1)}`));
  }
  await client.query({ text: named(functions), ...NO_TIMEOUT });
  await client.query(
    named(`INSERT INTO @schema_functions (version, checksum, signatures) VALUES ($1, $2, $3)
      ON CONFLICT (only_row) DO UPDATE
      SET version = excluded.version, checksum = excluded.checksum, signatures = excluded.signatures`),
    [functionsVersion, checksumOf(functions), signatures],
  );
}

/** A statement that drops a function must not name the defaults of its parameters. */
const DEFAULTS = /\s+DEFAULT\s+('[^']*'|\w+)/g;

/**
 * `@name(arguments) RETURNS type` of each function: PostgreSQL replaces no function with another signature, nor one that
 * has lost a default.
 */
function signaturesIn(functions: string): string[] {
  const heads = functions.matchAll(/CREATE OR REPLACE FUNCTION (@\w+)\(([^)]*)\)(.*?)\s+LANGUAGE/gs);
  return [...heads].map(([, name = "", parameters = "", result = ""]) =>
    `${name}(${parameters.trim()})${result}`.replace(/\s+/g, " "),
  );
}

async function findPending(session: Session, schema: string, definition: SchemaDefinition): Promise<Pending> {
  const named = nameIn(schema);
  const [tables] = await session.run({ text: "SELECT to_regclass($1) IS NOT NULL, to_regclass($2) IS NOT NULL" }, [
    named("@migrations"),
    named("@schema_functions"),
  ]);
  const [hasMigrations, hasFunctions] = tables ?? [];
  const read = async (exists: unknown, text: string) => (exists === true ? session.run({ text: named(text) }, []) : []);
  const applied = await read(hasMigrations, "SELECT version, checksum FROM @migrations ORDER BY version DESC");
  const [functions] = await read(hasFunctions, "SELECT version, checksum FROM @schema_functions");
  const [version = 0, checksum] = functions ?? [];
  if (asInteger(version) > definition.functionsVersion) throw tooNew(schema, `functions ${version}`);
  const checksums = new Map(applied.map(([version, checksum]) => [asInteger(version), asText(checksum)]));
  return {
    migrations: missingIn(checksums, schema, definition.migrations),
    functions: checksum !== checksumOf(definition.functions),
  };
}

/** The steps that were not applied. Throws when the schema holds a later step, or one with another text. */
function missingIn(
  applied: ReadonlyMap<number, string>,
  schema: string,
  migrations: readonly Migration[],
): readonly Migration[] {
  for (const version of applied.keys()) {
    if (migrations.some((migration) => migration.version === version)) continue;
    throw tooNew(schema, `version ${version}`);
  }
  return migrations.filter(({ version, sql, formerChecksums = [] }) => {
    const checksum = applied.get(version);
    if (checksum === undefined) return true;
    if ([checksumOf(sql), ...formerChecksums].includes(checksum)) return false;
    throw new Error(
      `migration ${version} of the schema "${schema}" was applied with other contents than this release ` +
        "has: the schema was made by a modified or unreleased version of the package",
    );
  });
}

/** A newer release has migrated the schema. */
export class NewerSchema extends Error {}

function tooNew(schema: string, what: string): NewerSchema {
  return new NewerSchema(
    `the schema "${schema}" is at ${what}, newer than this release of @budgetkit/store-postgres knows: update the package`,
  );
}

export function checksumOf(sql: string): string {
  return createHash("sha256").update(sql).digest("hex");
}
