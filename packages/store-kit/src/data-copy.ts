import { createHash } from "node:crypto";
import { DATA_TABLES, type DataRow, type DataTable, type DataTableName, type DataValue } from "./data-tables.js";

/** The source of a copy. Its data do not change until it is closed. */
export interface DataSource {
  /**
   * The rows of a table, ascending by key: those after the key `after`; null = all. Rows are read on demand, one table at
   * a time.
   */
  rows(table: DataTable, after: DataRow | null): AsyncIterable<DataRow>;
  /** Closes files and connections. */
  close(): Promise<void>;
}

/** The progress of a copy: `rows` of `table` are loaded, the last with this key. */
export interface CopyCursor {
  readonly table: DataTableName;
  readonly key: DataRow;
  readonly rows: number;
}

/** A started copy. */
export interface CopyState {
  readonly place: CopyCursor | null; // null = nothing is loaded
  readonly completedAt: number | null; // null = not complete
}

/** The target of a copy. No store serves from it until the copy is complete. */
export interface DataTarget {
  /**
   * Starts or resumes the copy of the source that `fingerprint` identifies. Rejects with CopyRefused when the target holds
   * other data or another copy into it is running.
   */
  begin(fingerprint: string): Promise<CopyState>;
  /** Adds rows and records the cursor after them, in one transaction. */
  load(table: DataTable, rows: readonly DataRow[], place: CopyCursor): Promise<void>;
  /** The loaded rows of a table, ascending by key. Rows are read on demand, one table at a time. */
  rows(table: DataTable): AsyncIterable<DataRow>;
  /** Lets stores serve from it. */
  complete(): Promise<void>;
  /** Closes files and connections. */
  close(): Promise<void>;
}

/** A copy that cannot start, for a reason that the caller can remove. */
export class CopyRefused extends Error {
  override readonly name = "CopyRefused";
}

/** How many rows a table has, and a SHA-256 over all of their values. */
export interface TableSummary {
  readonly rows: number;
  readonly checksum: string; // hexadecimal
}

export interface TableComparison {
  readonly table: DataTableName;
  readonly source: TableSummary;
  readonly target: TableSummary;
  readonly isSame: boolean;
}

export interface CopyReport {
  readonly wasComplete: boolean; // true = an earlier run copied everything, this run compared
  readonly isSame: boolean;
  readonly tables: readonly TableComparison[];
}

/** `rows` of `total` are done. `total` is null in the phase "reading", which counts the rows. */
export interface CopyProgress {
  readonly phase: "reading" | "copying" | "comparing";
  readonly table: DataTableName;
  readonly rows: number;
  readonly total: number | null;
}

export interface CopyOptions {
  readonly onProgress?: (progress: CopyProgress) => void;
}

/**
 * Copies all data of one store to another, in chunks, and then compares both: the rows of each table are counted and
 * hashed in the source and in the target. A run resumes an interrupted copy and compares a complete one again. When the
 * data differ, the report shows the tables and the copy stays incomplete.
 * Rejects with CopyRefused or StoreUnavailable.
 */
export async function copyData(
  source: DataSource,
  target: DataTarget,
  { onProgress = () => {} }: CopyOptions = {},
): Promise<CopyReport> {
  const wanted = new Map<DataTableName, TableSummary>();
  for (const table of DATA_TABLES) {
    const report = (rows: number) => onProgress({ phase: "reading", table: table.name, rows, total: null });
    wanted.set(table.name, await summaryOf(source.rows(table, null), report));
  }
  const totalOf = (table: DataTableName) => wanted.get(table)?.rows ?? 0;

  const { place, completedAt } = await target.begin(fingerprintOf(wanted));
  if (completedAt === null) {
    for (const table of tablesFrom(place)) {
      const report = (rows: number) =>
        onProgress({ phase: "copying", table: table.name, rows, total: totalOf(table.name) });
      await copyTable(source, target, table, place?.table === table.name ? place : null, report);
    }
  }

  const tables: TableComparison[] = [];
  for (const table of DATA_TABLES) {
    const report = (rows: number) =>
      onProgress({ phase: "comparing", table: table.name, rows, total: totalOf(table.name) });
    const found = await summaryOf(target.rows(table), report);
    const given = wanted.get(table.name) ?? found;
    const isSame = found.rows === given.rows && found.checksum === given.checksum;
    tables.push({ table: table.name, source: given, target: found, isSame });
  }
  const isSame = tables.every((table) => table.isSame);
  if (isSame && completedAt === null) await target.complete();
  return { wasComplete: completedAt !== null, isSame, tables };
}

/** A chunk ends at the limit reached first, so that large documents do not fill the memory. */
const ROWS_OF_CHUNK = 500;
const LENGTH_OF_CHUNK = 2_000_000; // in UTF-16 units

async function copyTable(
  source: DataSource,
  target: DataTarget,
  table: DataTable,
  place: CopyCursor | null,
  report: (rows: number) => void,
): Promise<void> {
  let done = place?.rows ?? 0;
  let chunk: DataRow[] = [];
  let length = 0;
  const load = async () => {
    const last = chunk.at(-1);
    if (last === undefined) return;
    done += chunk.length;
    await target.load(table, chunk, { table: table.name, key: last.slice(0, table.key.length), rows: done });
    report(done);
    chunk = [];
    length = 0;
  };
  for await (const row of source.rows(table, place?.key ?? null)) {
    chunk.push(row);
    length += row.reduce((sum: number, value) => sum + lengthOf(value), 0);
    if (chunk.length >= ROWS_OF_CHUNK || length >= LENGTH_OF_CHUNK) await load();
  }
  await load();
}

function tablesFrom(place: CopyCursor | null): readonly DataTable[] {
  const reached = DATA_TABLES.findIndex(({ name }) => name === place?.table);
  return DATA_TABLES.slice(Math.max(0, reached));
}

function lengthOf(value: DataValue): number {
  return typeof value === "string" ? value.length : 8;
}

const ROWS_PER_REPORT = 1_000;

async function summaryOf(rows: AsyncIterable<DataRow>, report: (rows: number) => void): Promise<TableSummary> {
  const hash = createHash("sha256");
  let count = 0;
  for await (const row of rows) {
    hash.update(`${JSON.stringify(row.map(exact))}\n`);
    count += 1;
    if (count % ROWS_PER_REPORT === 0) report(count);
  }
  if (count % ROWS_PER_REPORT !== 0) report(count);
  return { rows: count, checksum: hash.digest("hex") };
}

/** Larger integers are already rounded, so different values could look equal. */
function exact(value: DataValue): DataValue {
  if (typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    throw new RangeError(`the database holds ${value}, which is too large to be copied exactly`);
  }
  return value;
}

function fingerprintOf(summaries: ReadonlyMap<DataTableName, TableSummary>): string {
  return createHash("sha256")
    .update(JSON.stringify([...summaries]))
    .digest("hex");
}
