import { asText } from "@budgetkit/store-kit";
import { sqliteDriver } from "../driver/choose-driver.js";
import type { SqliteDatabase } from "../driver/sqlite-database.js";
import { isDamage } from "./failures.js";

/** What a check of a database file has found. */
export interface Integrity {
  readonly problems: readonly string[]; // in SQLite's words; empty = none
  readonly unchecked: readonly string[]; // tables that the time did not suffice for
}

export interface IntegrityCheck {
  /** No further table is begun after this time. */
  readonly withinMs: number;
  /** Called before each step with the number of finished steps. */
  onProgress(done: number, total: number): void;
}

/** A file up to this size is checked as a whole, unused pages included, within seconds; a larger one table by table. */
const CHECKED_WHOLE_BYTES = 256 * 1024 * 1024;
const MAX_PROBLEMS = 5;

/**
 * Reads the whole file and looks for damage; it changes nothing. A server may use the file meanwhile. Throws when the
 * file cannot be read at all.
 */
export function checkIntegrity(
  path: string,
  { withinMs, onProgress }: IntegrityCheck,
  wholeBytes = CHECKED_WHOLE_BYTES,
): Integrity {
  const database = sqliteDriver().open(path, { readonly: true, fileMustExist: true });
  try {
    const startedAt = performance.now();
    const steps = stepsOf(database, wholeBytes);
    const problems: string[] = [];
    for (const [index, { pragma }] of steps.entries()) {
      const isLate = performance.now() - startedAt >= withinMs;
      if (isLate) return { problems, unchecked: steps.slice(index).map(({ name }) => name) };
      onProgress(index, steps.length);
      problems.push(...problemsOf(database, pragma));
      if (problems.length >= MAX_PROBLEMS) break;
    }
    return { problems: problems.slice(0, MAX_PROBLEMS), unchecked: [] };
  } finally {
    database.close();
  }
}

interface Step {
  readonly name: string;
  readonly pragma: string;
}

function stepsOf(database: SqliteDatabase, wholeBytes: number): readonly Step[] {
  const bytes = Number(pragmaOf(database, "page_count")) * Number(pragmaOf(database, "page_size"));
  if (bytes <= wholeBytes) return [{ name: "all tables", pragma: `integrity_check(${MAX_PROBLEMS})` }];
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0").pluck();
  return ["sqlite_schema", ...tables.all().map(asText)].map((name) => ({
    name,
    pragma: `integrity_check("${name.replaceAll('"', '""')}")`,
  }));
}

function pragmaOf(database: SqliteDatabase, name: string): unknown {
  return database.pragma(name, { simple: true });
}

function problemsOf(database: SqliteDatabase, pragma: string): readonly string[] {
  try {
    const said = database.prepare(`PRAGMA ${pragma}`).pluck().all().map(asText);
    return said.filter((line) => line !== "ok").map((line) => line.replaceAll("\n", "; "));
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [error instanceof Error ? error.message : String(error)];
  }
}
