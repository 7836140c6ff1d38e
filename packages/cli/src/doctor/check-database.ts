import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { type Store, StoreUnavailable } from "@budgetkit/core/store";
import type { Database } from "../settings/database-url.js";
import { openStore, reasonInWords } from "../settings/open-store.js";
import type { QuotaSettings } from "../settings/settings.js";
import { StartFailure } from "../terminal/failures.js";
import { ownCommand } from "../terminal/own-command.js";
import { checkQuotas } from "./check-quotas.js";
import { checkFolder } from "./check-settings.js";
import { type Finding, ok, reasonOf, warning, wrong } from "./checks.js";

const ANSWERS_WITHIN_MS = 5_000;
const CHECKED_WITHIN_MS = 60_000;
/** Tokens and idempotency keys use the clock of the server, deliveries that of the database. */
const CLOCKS_MAY_DIFFER_MS = 2_000;

/**
 * Checks that the database is reachable, has the schema of this release and serves. A database that fails at any of the
 * checks has one line, which says so.
 */
export async function checkDatabase(
  database: Database,
  settings: QuotaSettings,
  progress: (text: string) => void,
): Promise<Finding[]> {
  if (database.kind === "memory") {
    return [await checkDriver(), warning("database", "memory: ends with the process: for a trial only")];
  }
  if (database.kind === "file") {
    const folder = checkFolder("folder", dirname(database.path));
    if (folder.state === "wrong") return [folder];
    const driver = await checkDriver();
    if (driver.state === "wrong") return [folder, driver];
    if (!existsSync(database.path)) {
      const missing = `${database.path} is not there yet: ${ownCommand()} migrate makes it`;
      return [folder, driver, warning("database", missing)];
    }
    const file = await checkFile(database.path, progress);
    return file.state === "wrong"
      ? [folder, driver, file]
      : agreeing([folder, driver, file, ...(await checkStore(database, settings))]);
  }
  const server = await checkServer(database.url);
  const isWrong = server.some(({ state }) => state === "wrong");
  return isWrong ? server : agreeing([...server, ...(await checkStore(database, settings))]);
}

/** The database may fail between two checks, as in a failover: then the line that it is fine is left out. */
function agreeing(findings: readonly Finding[]): Finding[] {
  const isFine = ({ name, state }: Finding) => name === "database" && state !== "wrong";
  const fails = findings.some(({ name, state }) => name === "database" && state === "wrong");
  return findings.filter((finding) => !(fails && isFine(finding)));
}

/** Names the SQLite library of this process, which depends on what is installed and on the release of Node. */
async function checkDriver(): Promise<Finding> {
  const { driverInUse } = await import("@budgetkit/store-sqlite");
  try {
    return ok("driver", driverInUse());
  } catch (error) {
    return wrong("driver", reasonOf(error));
  }
}

/** Looks for damage in the database file, which SQLite reports only once it reads the damaged page. */
async function checkFile(path: string, progress: (text: string) => void): Promise<Finding> {
  const { checkIntegrity } = await import("@budgetkit/store-sqlite");
  try {
    const { problems, unchecked } = checkIntegrity(path, {
      withinMs: CHECKED_WITHIN_MS,
      onProgress: (done, total) => progress(`${path}: ${done} of ${total} parts checked`),
    });
    if (problems.length > 0) return wrong("database", damageOf(path, problems.join("; ")));
    if (unchecked.length === 0) return ok("database", `${path} is intact`);
    const message = `${path}: no damage in a minute; check ${unchecked.join(", ")} by PRAGMA integrity_check in sqlite3`;
    return warning("database", message);
  } catch (error) {
    return wrong("database", damageOf(path, reasonOf(error)));
  }
}

function damageOf(path: string, problem: string): string {
  return `${path} is damaged or cannot be read: ${problem}. Stop the server, keep a copy of the file, and bring back a backup`;
}

/** Checks the schema, and with all of its steps also that a write is committed and the quotas. */
async function checkStore(database: Database, settings: QuotaSettings): Promise<Finding[]> {
  const findings: Finding[] = [];
  try {
    const store = await openStore(database);
    try {
      for await (const finding of findingsOn(store, database, settings)) findings.push(finding);
    } finally {
      await store.close();
    }
  } catch (error) {
    const isOutage = error instanceof StoreUnavailable;
    findings.push(
      wrong(isOutage ? "database" : "schema", error instanceof StartFailure ? error.message : reasonOf(error)),
    );
  }
  return findings;
}

async function* findingsOn(store: Store, database: Database, settings: QuotaSettings): AsyncIterable<Finding> {
  const pending = await store.pendingMigrations();
  if (pending > 0) return yield wrong("schema", `lacks ${pending} of its steps: ${ownCommand()} migrate applies them`);
  yield ok("schema", "is up to date");
  if ((await store.findUnsignedBeginnings(1)).length > 0) yield warning("ledger", isUnsigned());
  const outage = database.kind === "file" ? null : await store.findOutage();
  if (outage !== null) return yield wrong("database", outage);
  yield* await checkQuotas(store, settings);
}

function isUnsigned(): string {
  return `where the chains of older ledgers begin is not signed yet: after an upgrade, run ${ownCommand()} ledger sign-beginnings`;
}

const STANDBY = "a standby or still recovers, and takes no writes: let DATABASE_URL lead to the primary, or promote it";
const READ_ONLY = "read-only: look at default_transaction_read_only of the server, the database and the role";

async function checkServer(url: string): Promise<Finding[]> {
  const { default: pg } = await import("pg");
  try {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: ANSWERS_WITHIN_MS,
      query_timeout: ANSWERS_WITHIN_MS,
    });
    client.on("error", () => {}); // the running query reports it
    await client.connect();
    try {
      const before = Date.now();
      const { rows } = await client.query<{ now: Date; version: string; isStandby: boolean; isReadOnly: boolean }>(
        `SELECT clock_timestamp() AS now, current_setting('server_version') AS version,
           pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only')::boolean AS "isReadOnly"`,
      );
      const [row] = rows;
      if (row === undefined) return [wrong("database", "it gives no answer")];
      if (row.isStandby) return [wrong("database", `PostgreSQL ${row.version} is ${STANDBY}`)];
      if (row.isReadOnly) return [wrong("database", `PostgreSQL ${row.version} is ${READ_ONLY}`)];
      return [ok("database", `PostgreSQL ${row.version} answers`), checkClock(row.now.getTime(), before, Date.now())];
    } finally {
      await client.end();
    }
  } catch (error) {
    return [wrong("database", `cannot be used: ${reasonInWords(error)}. Look at DATABASE_URL and at the server`)];
  }
}

/** Checks that the clock of the database agrees with two readings of this machine, within the tolerance. */
export function checkClock(shown: number, before: number, after: number): Finding {
  const off = shown < before ? shown - before : Math.max(0, shown - after);
  if (Math.abs(off) <= CLOCKS_MAY_DIFFER_MS) return ok("clock", "agrees with the database's");
  const message = `the database is ${Math.abs(off) / 1_000} s ${off > 0 ? "ahead" : "behind"}: synchronise both clocks by NTP`;
  return warning("clock", message);
}
