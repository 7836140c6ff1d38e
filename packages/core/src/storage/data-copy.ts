import { createHash } from "node:crypto";
import { DATA_TABLES, type DataRow, type DataTable, type DataTableName, type DataValue } from "./data-tables.js";

/** Where a copy takes its data from. Nobody else changes them until it is closed. */
export interface DataSource {
  /**
   * The rows of a table in the ascending order of their key: those behind the key `after`, or all for null. They are
   * read as they are asked for, one table at a time.
   */
  rows(table: DataTable, after: DataRow | null): AsyncIterable<DataRow>;
  /** Lets go of files and connections. */
  close(): Promise<void>;
}

/** Where a copy has come to: `rows` of `table` are there, the last of which has this key. */
export interface CopyPlace {
  readonly table: DataTableName;
  readonly key: DataRow;
  readonly rows: number;
}

/** A copy that was begun. */
export interface CopyState {
  readonly place: CopyPlace | null; // null = nothing was loaded yet
  readonly completedAt: number | null; // null = it is under way
}

/** Where a copy puts its data. Until the copy is complete no store serves from it. */
export interface DataTarget {
  /**
   * Begins the copy of a source, told apart by `fingerprint`, or goes on with it. Rejects with CopyRefused when the target
   * holds other data, or when another copy into it is under way.
   */
  begin(fingerprint: string): Promise<CopyState>;
  /** Adds rows and notes the place that they lead to, both or neither. */
  load(table: DataTable, rows: readonly DataRow[], place: CopyPlace): Promise<void>;
  /** What is there of a table, in the ascending order of its key. It is read as it is asked for, one table at a time. */
  rows(table: DataTable): AsyncIterable<DataRow>;
  /** Lets stores serve from it. */
  complete(): Promise<void>;
  /** Lets go of files and connections. */
  close(): Promise<void>;
}

/** A copy that cannot be, for a reason that whoever asked for it can mend. */
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
  readonly wasComplete: boolean; // by an earlier run: this one has only compared
  readonly isSame: boolean;
  readonly tables: readonly TableComparison[];
}

/** `rows` of `total` are done; the source tells the total of each table in the first phase, where it is null. */
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
 * Copies everything from one store's data to another's, chunk by chunk, and then compares both: each table is counted and
 * summed up in the source and in the target, whatever was sent. A copy that ended midway goes on where it was; one that
 * is complete is compared again. Data that differ are told by the report, and leave the copy incomplete.
 * Rejects with CopyRefused or StoreUnavailable.
 */
export async function copyData(
  source: DataSource,
  target: DataTarget,
  { onProgress = () => {} }: CopyOptions = {},
): Promise<CopyReport> {
  const wanted = new Map<DataTableName, TableSummary>();
  for (const table of DATA_TABLES) {
    const tell = (rows: number) => onProgress({ phase: "reading", table: table.name, rows, total: null });
    wanted.set(table.name, await summaryOf(source.rows(table, null), tell));
  }
  const totalOf = (table: DataTableName) => wanted.get(table)?.rows ?? 0;

  const { place, completedAt } = await target.begin(fingerprintOf(wanted));
  if (completedAt === null) {
    for (const table of tablesFrom(place)) {
      const tell = (rows: number) =>
        onProgress({ phase: "copying", table: table.name, rows, total: totalOf(table.name) });
      await copyTable(source, target, table, place?.table === table.name ? place : null, tell);
    }
  }

  const tables: TableComparison[] = [];
  for (const table of DATA_TABLES) {
    const tell = (rows: number) =>
      onProgress({ phase: "comparing", table: table.name, rows, total: totalOf(table.name) });
    const found = await summaryOf(target.rows(table), tell);
    const given = wanted.get(table.name) ?? found;
    const isSame = found.rows === given.rows && found.checksum === given.checksum;
    tables.push({ table: table.name, source: given, target: found, isSame });
  }
  const isSame = tables.every((table) => table.isSame);
  if (isSame && completedAt === null) await target.complete();
  return { wasComplete: completedAt !== null, isSame, tables };
}

/** A chunk ends with whichever comes first, so that large documents do not add up in memory. */
const ROWS_OF_CHUNK = 500;
const LENGTH_OF_CHUNK = 2_000_000; // in UTF-16 units

async function copyTable(
  source: DataSource,
  target: DataTarget,
  table: DataTable,
  place: CopyPlace | null,
  tell: (rows: number) => void,
): Promise<void> {
  let done = place?.rows ?? 0;
  let chunk: DataRow[] = [];
  let length = 0;
  const load = async () => {
    const last = chunk.at(-1);
    if (last === undefined) return;
    done += chunk.length;
    await target.load(table, chunk, { table: table.name, key: last.slice(0, table.key.length), rows: done });
    tell(done);
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

function tablesFrom(place: CopyPlace | null): readonly DataTable[] {
  const reached = DATA_TABLES.findIndex(({ name }) => name === place?.table);
  return DATA_TABLES.slice(Math.max(0, reached));
}

function lengthOf(value: DataValue): number {
  return typeof value === "string" ? value.length : 8;
}

const TOLD_EVERY_ROWS = 1_000;

async function summaryOf(rows: AsyncIterable<DataRow>, tell: (rows: number) => void): Promise<TableSummary> {
  const hash = createHash("sha256");
  let count = 0;
  for await (const row of rows) {
    hash.update(`${JSON.stringify(row.map(exact))}\n`);
    count += 1;
    if (count % TOLD_EVERY_ROWS === 0) tell(count);
  }
  if (count % TOLD_EVERY_ROWS !== 0) tell(count);
  return { rows: count, checksum: hash.digest("hex") };
}

/** A whole number beyond these was rounded on its way here, and would seem to be the same where it is not. */
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
