import { randomUUID } from "node:crypto";
import { StoreUnavailable } from "@budgetkit/core/store";
import { asList, createGroupCommit, type GroupCommit } from "@budgetkit/store-kit";
import { failureIn } from "./batch-codec.js";
import { BATCH_SIZE, eachAlone } from "./commits.js";
import { prepared, repeatedly, type Session } from "./session.js";

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

/** The parameters of the function: the id of the batch and the arrays. */
export function arrayParameters({ tables }: ArrayFunction): string {
  const arrays = Object.entries(tables).flatMap(([table, types]) =>
    Object.entries(withPlace(types)).map(([column, type]) => `${table}_${column} ${type}[]`),
  );
  return ["batch uuid", ...arrays].join(", ");
}

/**
 * The body of the function: statements that lock rows, `held`, and set `places`, and further variables of theirs. An error undoes them and is returned:
 * when the client learns of it, the rows are no longer locked.
 */
export function arrayBody(statements: string, variables = ""): string {
  return `DECLARE
    answers jsonb := @answers_of(batch);
    held tid[];
    places integer[];
    ${variables}
  BEGIN
    IF answers IS NOT NULL THEN RETURN answers; END IF;
    ${statements}
    answers := coalesce(to_jsonb(places), '[]');
    INSERT INTO @batches (id, answers) VALUES (batch, answers);
    RETURN answers;
  EXCEPTION WHEN OTHERS THEN
    IF SQLSTATE ~ '^(40|53|57|58)' THEN RAISE; END IF;
    RETURN jsonb_build_object('error', SQLERRM, 'code', SQLSTATE);
  END`;
}

/** The rows of a table within the function, with the places of their calls as the first column. */
export function rowsOf({ tables }: ArrayFunction, table: string): string {
  const columns = Object.keys(withPlace(tables[table] ?? {}));
  return `unnest(${columns.map((column) => `${table}_${column}`).join(", ")}) AS given (${columns.join(", ")})`;
}

function withPlace(types: ColumnTypes): ColumnTypes {
  return { place: "integer", ...types };
}

/**
 * Calls of one function that wait at the same time share one statement, and one is in flight: two would be of half the size,
 * and what a statement costs by itself is as much as thirty calls in it. PostgreSQL reads arrays in half the time of
 * JSON. The outcome of a call is whether the function returned its place. As for other commits, the schema keeps the
 * answer of a batch under its id, for a batch that is sent again.
 */
export function arrayBatches(
  { name, tables }: ArrayFunction,
  session: Session,
  named: (sql: string) => string,
): GroupCommit<ArrayCall, boolean> {
  const count = Object.values(tables).reduce((sum, types) => sum + Object.keys(withPlace(types)).length, 1);
  const parameters = Array.from({ length: count }, (_, index) => `$${index + 1}`).join(", ");
  const statement = prepared(named(`SELECT @${name}(${parameters})`));

  async function run(calls: readonly ArrayCall[]): Promise<readonly PromiseSettledResult<boolean>[]> {
    try {
      const places = new Set(asList(await answerTo(calls)));
      return calls.map((_, index) => ({ status: "fulfilled", value: places.has(index + 1) }));
    } catch (error) {
      if (error instanceof StoreUnavailable || calls.length === 1) throw error;
      return eachAlone(calls, run); // one call made the whole batch fail
    }
  }

  /** Throws what the function has returned as an error, and what PostgreSQL refuses before it calls the function. */
  async function answerTo(calls: readonly ArrayCall[]): Promise<unknown> {
    const values = [randomUUID(), ...arraysOf(calls)];
    const [row] = await repeatedly(() => session.run(statement, values));
    const failure = failureIn(row?.[0]);
    if (failure !== null) throw failure.reason;
    return row?.[0];
  }

  function arraysOf(calls: readonly ArrayCall[]): string[] {
    return Object.entries(tables).flatMap(([table, types]) => {
      const rows: ArrayRow[] = [];
      const places: number[] = [];
      for (const [index, call] of calls.entries()) {
        for (const row of call[table] ?? []) {
          rows.push(row);
          places.push(index + 1);
        }
      }
      return [places, ...Object.keys(types).map((column) => rows.map((row) => row[column] ?? null))].map(arrayLiteral);
    });
  }

  return createGroupCommit({ run, maxWeight: BATCH_SIZE, weigh: sizeOf });
}

function arrayLiteral(values: readonly (string | number | null)[]): string {
  const elements = values.map((value) =>
    typeof value === "string" ? `"${value.replace(/["\\]/g, "\\$&")}"` : (value ?? "NULL"),
  );
  return `{${elements.join(",")}}`;
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
