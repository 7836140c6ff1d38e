import { createFairSemaphore, isIdTaken, memoize, type SemaphoreLimits, StoreUnavailable } from "@budgetkit/core/store";
import type { Row } from "@budgetkit/store-kit";
import { type ArrayCall, type ArrayFunction, arrayBatches } from "./array-batches.js";
import type { CommitCall, CommitFunctions } from "./commit-calls.js";
import type { Commit } from "./commits.js";
import { type KeyedRows, type LookUp, loneLookUps, lookUpStatement, sharedLookUps } from "./dataloader.js";
import { isRolledBack, storeFailure } from "./failures.js";
import { prepared, repeatedly, type Session, type SqlValue } from "./session.js";

export type { SqlValue } from "./session.js";

/** Whose clock decides: that of the process that calls, or that of the database, which all processes share. */
export type StoreClock = "caller" | "database";

/** PostgreSQL as the ports use it. Tables and functions of the schema are written `@name`. */
export interface Connection {
  /** Whose clock decides about the deliveries of events. */
  readonly clock: StoreClock;
  /** The rows of a statement that only reads. Prepared at its first use on each connection. */
  rows(sql: string): (...values: SqlValue[]) => Promise<readonly Row[]>;
  /** Its first row; null = there is none. */
  row(sql: string): (...values: SqlValue[]) => Promise<Row | null>;
  /** The first column of its first row; undefined = there is no row. */
  value(sql: string): (...values: SqlValue[]) => Promise<unknown>;
  /** Its first column. */
  values(sql: string): (...values: SqlValue[]) => Promise<readonly unknown[]>;
  /** Finds rows by keys. Concurrent look-ups of the same kind share one statement. */
  lookUp(rows: KeyedRows): LookUp;
  /**
   * The rows of a list or a count of a business, whose id is the first value. Planned at each call, since the best plan
   * depends on the values. The concurrency is limited by {@link LISTS}.
   */
  planned(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]>;
  /** Calls the functions of a domain that change rows. */
  commits<Arguments, Answers>(functions: CommitFunctions<Arguments, Answers>): CommitCall<Arguments, Answers>;
  /** Calls a function that takes arrays, together with the calls that wait at the same time. See {@link arrayBatches}. */
  arrays(of: ArrayFunction): (call: ArrayCall) => Promise<boolean>;
  /** Calls a function of the schema in its own transaction. Not repeated when the connection was lost. */
  call(name: string, ...values: SqlValue[]): Promise<unknown>;
  /** The same for a function that returns rows. */
  callRows(name: string, ...values: SqlValue[]): Promise<readonly Row[]>;
}

export interface ConnectionParts {
  readonly clock: StoreClock;
  readonly session: Session;
  readonly named: (sql: string) => string;
  readonly commit: Commit;
  /** Gets a function for each kind of batches, which resolves when none is under way. */
  readonly drains?: (() => Promise<void>)[];
  /** Throws when the store was closed. */
  readonly assertOpen: () => void;
  /** Called after each commit of a function, with its argument; null for one that `call` has called. */
  readonly onCommit?: (name: string, argument: unknown) => void;
  /** Called before a call rejects because the database holds the id of a new record. */
  readonly onIdTaken?: () => void;
  /**
   * Whether a read is repeated after its connection was lost, and may share a statement with others. False in a host's
   * transaction: it is lost with the connection, and the host decides when it ends.
   */
  readonly repeatsReads: boolean;
}

export function connectionOf(parts: ConnectionParts): Connection {
  const {
    clock,
    session,
    named,
    commit,
    assertOpen,
    onCommit = ignore,
    onIdTaken = ignore,
    drains = [],
    repeatsReads,
  } = parts;
  const noteTaken = notingTaken(onIdTaken);
  const statementOf = memoize((sql) => prepared(named(sql)));
  const runFairly = createFairSemaphore(LISTS, (reason) => new StoreUnavailable(reason));

  async function read(sql: string, values: readonly SqlValue[], isPrepared = true): Promise<readonly Row[]> {
    assertOpen();
    const statement = isPrepared ? statementOf(sql) : { text: named(sql) };
    const run = () => session.run(statement, values);
    return repeatsReads ? repeatedly(run) : run().catch(rethrow);
  }

  async function callRows(name: string, ...values: SqlValue[]): Promise<readonly Row[]> {
    assertOpen();
    const statement = statementOf(`SELECT * FROM @${name}(${values.map((_, index) => `$${index + 1}`).join(", ")})`);
    const run = () => session.run(statement, values);
    const rows = await (repeatsReads ? repeatedly(run, isRolledBack) : run().catch(rethrow));
    onCommit(name, null);
    return rows;
  }

  return {
    clock,
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
    planned: (sql, values) => runFairly(values[0], () => read(sql, values, false)),
    commits:
      ({ readers }) =>
      async (name, business, argument, beside = {}) => {
        assertOpen();
        const call = { call: name, business, argument: JSON.stringify(argument), ...beside };
        const { value, made } = await commit(call).catch(noteTaken);
        onCommit(name, argument);
        return readers[name](value, made);
      },
    arrays: (of) => {
      const batches = arrayBatches(of, session, named);
      drains.push(() => batches.drain());
      return async (call) => {
        assertOpen();
        const isWritten = await batches.commit(call).catch(noteTaken);
        onCommit(of.name, call);
        return isWritten;
      };
    },
    call: async (name, ...values) => (await callRows(name, ...values))[0]?.[0],
    callRows,
  };
}

/** Lists and counts may be slow: they leave connections to look-ups, and each business leaves slots to the others. */
const LISTS: SemaphoreLimits = { slots: 4, slotsPerKey: 2, maxWaiting: 1_000, timeoutMs: 5_000 };

function ignore(): void {}

function rethrow(error: unknown): never {
  throw storeFailure(error);
}

function notingTaken(onIdTaken: () => void) {
  return (error: unknown): never => {
    if (isIdTaken(error)) onIdTaken();
    throw error;
  };
}

/** Refuses every use after the store was closed, or has found the schema newer than it knows. */
export function openness(): Openness {
  let why: string | null = null; // null = open
  return {
    assertOpen: () => {
      if (why !== null) throw new StoreUnavailable(why);
    },
    close: (reason) => {
      why = reason;
    },
  };
}

interface Openness {
  /** Throws StoreUnavailable once closed. */
  assertOpen(): void;
  close(reason: string): void;
}
