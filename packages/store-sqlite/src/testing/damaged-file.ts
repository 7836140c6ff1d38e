import { readFileSync, writeFileSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";

/** Overwrites a page of a closed database file. Pages count from 1. */
export function damagePage(path: string, page: number): void {
  const bytes = readFileSync(path);
  const size = pageSizeOf(bytes);
  bytes.fill(0x5a, (page - 1) * size, page * size);
  writeFileSync(path, bytes);
}

/** Overwrites the first page of a table or an index of a closed database file. */
export function damage(path: string, name: string): void {
  const database = new BetterSqlite3(path, { readonly: true });
  const page = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").pluck().get(name);
  database.close();
  damagePage(path, Number(page));
}

/** How many pages a closed database file has. */
export function pagesOf(path: string): number {
  const bytes = readFileSync(path);
  return bytes.length / pageSizeOf(bytes);
}

/** https://sqlite.org/fileformat.html#the_database_header */
function pageSizeOf(bytes: Buffer): number {
  return bytes.readUInt16BE(16);
}
