import { isIdTaken, StoreUnavailable } from "@budgetkit/core/store";
import { asList, createGroupCommit, type GroupCommit } from "@budgetkit/store-kit";
import type { RepeatableCalls } from "./repeatable-transactions.js";
import { prepared } from "./session.js";

/** Columns and their types. */
type ColumnTypes = Readonly<Record<string, string>>;

export type ArrayRow = Readonly<Record<string, string | number | null>>;

/** The rows that a call hands to a function, by the names of the function's tables. */
export type ArrayCall = Readonly<Record<string, readonly ArrayRow[]>>;

/** A function that takes the rows of many calls as arrays, one for each column, with the places of their calls. */
export interface ArrayFunction {
  readonly name: string;
  readonly tables: Readonly<Record<string, ColumnTypes>>;
}

/** The parameters of the function: the arrays. */
export function arrayParameters({ tables }: ArrayFunction): string {
  return Object.entries(tables)
    .flatMap(([table, types]) =>
      Object.entries(withPlace(types)).map(([column, type]) => `${table}_${column} ${type}[]`),
    )
    .join(", ");
}

/** The rows of a table within the function, with the places of their calls as the first column. */
export function rowsOf({ tables }: ArrayFunction, table: string): string {
  const columns = Object.keys(withPlace(tables[table] ?? {}));
  return `unnest(${columns.map((column) => `${table}_${column}`).join(", ")}) AS given (${columns.join(", ")})`;
}

function withPlace(types: ColumnTypes): ColumnTypes {
  return { place: "integer", ...types };
}

/** Characters of texts in a batch, so that a large call delays few others. */
const BATCH_SIZE = 1024 * 1024;

/**
 * Calls of one function that wait at the same time share one transaction, in one round trip, and one is in flight: two would
 * be of half the size, and what a statement costs by itself is as much as thirty calls in it. The outcome of a call is whether
 * the function returned its place. When a call fails its batch, the halves run one after the other, until it fails alone.
 */
export function arrayBatches(
  { name, tables }: ArrayFunction,
  callOnce: RepeatableCalls,
  named: (sql: string) => string,
): GroupCommit<ArrayCall, boolean> {
  const count = Object.values(tables).reduce((sum, types) => sum + Object.keys(withPlace(types)).length, 0);
  const parameters = Array.from({ length: count }, (_, index) => `$${index + 2}`).join(", ");
  const statement = prepared(
    named(
      `UPDATE @batches SET answers = coalesce(to_jsonb(@${name}(${parameters})), '[]') WHERE id = $1 RETURNING answers`,
    ),
  );

  async function run(calls: readonly ArrayCall[]): Promise<readonly PromiseSettledResult<boolean>[]> {
    try {
      const places = new Set(asList(await callOnce(statement, arraysOf(calls))));
      return calls.map((_, index) => ({ status: "fulfilled", value: places.has(index + 1) }));
    } catch (error) {
      if ((error instanceof StoreUnavailable && !isIdTaken(error)) || calls.length === 1) throw error;
      const half = Math.ceil(calls.length / 2);
      const first = await runHalf(calls.slice(0, half)); // one call made all fail
      return [...first, ...(await runHalf(calls.slice(half)))];
    }
  }

  const runHalf = (calls: readonly ArrayCall[]) =>
    run(calls).catch((reason: unknown) => calls.map(() => ({ status: "rejected", reason }) as const));

  function arraysOf(calls: readonly ArrayCall[]): (readonly (string | number | null)[])[] {
    return Object.entries(tables).flatMap(([table, types]) => {
      const rows: ArrayRow[] = [];
      const places: number[] = [];
      for (const [index, call] of calls.entries()) {
        for (const row of call[table] ?? []) {
          rows.push(row);
          places.push(index + 1);
        }
      }
      return [places, ...Object.keys(types).map((column) => rows.map((row) => row[column] ?? null))];
    });
  }

  return createGroupCommit({ run, maxWeight: BATCH_SIZE, weigh: sizeOf });
}

/** The characters of its texts. */
function sizeOf(call: ArrayCall): number {
  let size = 0;
  for (const rows of Object.values(call)) {
    for (const row of rows) {
      for (const column in row) {
        const value = row[column];
        if (typeof value === "string") size += value.length;
      }
    }
  }
  return size;
}
