import { StoreUnavailable } from "@budgetkit/core/store";
import type { Commit } from "./commits.js";
import { isRolledBack, storeFailure } from "./failures.js";
import { type KeyedRows, type LookUp, loneLookUps, lookUpStatement, sharedLookUps } from "./look-ups.js";
import { remembered } from "./remembered.js";
import type { Row } from "./rows.js";
import { prepared, repeatedly, type Session, type SqlValue } from "./session.js";
import { createTurns, type TurnLimits } from "./turns.js";

export type { SqlValue } from "./session.js";

/** PostgreSQL as the ports use it. Tables and functions of the schema are written `@name`. */
export interface Connection {
  /** A statement that only reads; prepared at its first use on each connection. */
  rows(sql: string): (...values: SqlValue[]) => Promise<readonly Row[]>;
  /** Its first row; null = there is none. */
  row(sql: string): (...values: SqlValue[]) => Promise<Row | null>;
  /** The first column of its first row; undefined = there is no row. */
  value(sql: string): (...values: SqlValue[]) => Promise<unknown>;
  /** Its first column. */
  values(sql: string): (...values: SqlValue[]) => Promise<readonly unknown[]>;
  /** Finds rows by keys; look-ups of the same rows that wait at the same time share one statement. */
  lookUp(rows: KeyedRows): LookUp;
  /**
   * The rows of a list or a count of a business, whose id is the first value. It is planned for its values each time,
   * since the best plan depends on them, and takes its turn: see {@link LISTS}.
   */
  planned(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]>;
  /**
   * Calls a function of the schema that changes rows of a business, in a transaction that it shares with the calls that
   * wait at the same time, and resolves after the commit. What it did is undone when it throws; the others are not touched.
   * `business` as in {@link Call}.
   */
  commit(name: string, business: number | null, argument: unknown): Promise<unknown>;
  /** Calls a function of the schema, a transaction of its own. It is not repeated when its outcome is unknown. */
  call(name: string, ...values: SqlValue[]): Promise<unknown>;
}

export interface ConnectionParts {
  readonly session: Session;
  readonly named: (sql: string) => string;
  readonly commit: Commit;
  /** Throws when the connection is not to be used any more. */
  readonly assertOpen: () => void;
  /**
   * Whether a read may be sent again when its connection was lost, and share a statement with others; not within a
   * transaction that is lost with it, and that ends when somebody else likes.
   */
  readonly repeatsReads: boolean;
}

export function connectionOf({ session, named, commit, assertOpen, repeatsReads }: ConnectionParts): Connection {
  const statementOf = remembered((sql) => prepared(named(sql)));
  const inTurn = createTurns(LISTS);

  async function read(sql: string, values: readonly SqlValue[], isPrepared = true): Promise<readonly Row[]> {
    assertOpen();
    const statement = isPrepared ? statementOf(sql) : { text: named(sql) };
    const run = () => session.run(statement, values);
    return repeatsReads ? repeatedly(run) : run().catch(rethrow);
  }

  return {
    rows:
      (sql) =>
      (...values) =>
        read(sql, values),
    row:
      (sql) =>
      async (...values) =>
        (await read(sql, values))[0] ?? null,
    value:
      (sql) =>
      async (...values) =>
        (await read(sql, values))[0]?.[0],
    values:
      (sql) =>
      async (...values) =>
        (await read(sql, values)).map(([value]) => value),
    lookUp: (rows) => {
      const sql = lookUpStatement(rows);
      const find = (...columns: SqlValue[]) => read(sql, columns);
      return repeatsReads ? sharedLookUps(rows, find) : loneLookUps(rows, find);
    },
    planned: (sql, values) => inTurn(values[0], () => read(sql, values, false)),
    commit: async (name, business, argument) => {
      assertOpen();
      return commit({ call: name, business, argument: JSON.stringify(argument) });
    },
    call: async (name, ...values) => {
      assertOpen();
      const statement = statementOf(`SELECT @${name}(${values.map((_, index) => `$${index + 1}`).join(", ")})`);
      const run = () => session.run(statement, values);
      const [row] = await (repeatsReads ? repeatedly(run, isRolledBack) : run().catch(rethrow));
      return row?.[0];
    },
  };
}

/** Lists and counts may take long: they hold neither every connection that look-ups need, nor up those of others. */
const LISTS: TurnLimits = { places: 4, placesOfOne: 2, waiting: 1_000, patienceMs: 5_000 };

function rethrow(error: unknown): never {
  throw storeFailure(error);
}

/** What refuses every use after the store was closed. */
export function openness(): { assertOpen(): void; close(): void } {
  let isClosed = false;
  return {
    assertOpen: () => {
      if (isClosed) throw new StoreUnavailable("the store was closed");
    },
    close: () => {
      isClosed = true;
    },
  };
}
