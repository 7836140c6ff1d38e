import { createFairSemaphore, isIdTaken, memoize, type SemaphoreLimits, StoreUnavailable } from "@budgetkit/core/store";
import type { Row } from "@budgetkit/store-kit";
import { type ArrayCall, type ArrayFunction, arrayBatches } from "../engine/array-batches.js";
import type { DigestLookUp, DirectedRows, KeyedRows, LookUp } from "../engine/dataloader.js";
import { isRolledBack, storeFailure } from "../engine/failures.js";
import type { DirectoryKind } from "../engine/layout.js";
import { type Layout, ON_ONE_SERVER } from "../engine/layout.js";
import type { RepeatableCalls, RepeatableTransactions } from "../engine/repeatable-transactions.js";
import { prepared, repeatedly, type Session, type SqlValue } from "../engine/session.js";
import type { Statements } from "../engine/statements.js";
import type { OpenBusiness } from "./open-business.js";
import type { Piece } from "./run-pieces.js";

export type { SqlValue } from "../engine/session.js";

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
  /** Finds a record by a digest that the directory leads from. Concurrent look-ups of the same kind share one statement. */
  lookUpDigest(kind: DirectoryKind, rows: DirectedRows): DigestLookUp;
  /**
   * The rows of a list or a count of a business, whose id is the first value. Planned at each call, since the best plan
   * depends on the values. The concurrency is limited by {@link LISTS}.
   */
  planned(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]>;
  /** A statement that changes rows, in its own transaction. Not repeated when the connection was lost. */
  changes(sql: string): (...values: SqlValue[]) => Promise<readonly Row[]>;
  /** The statements of pieces. */
  readonly statements: Statements;
  /** Runs a piece in a transaction that it shares with those that wait at the same time, and resolves after the commit. */
  runPiece<T>(piece: Piece<T>): Promise<T>;
  /** Runs a piece that decides and writes as soon as it holds the lock of the business. */
  write<T>(
    business: number,
    footprint: readonly string[] | "all",
    work: (open: OpenBusiness) => T | Promise<T>,
  ): Promise<T>;
  /** A transaction of its own. Only of a store on a pool. */
  readonly inTransaction: RepeatableTransactions;
  /** Notifies other processes that this one has committed work for a dispatcher. */
  noteWork(): void;
  /** Calls a function that takes arrays, together with the calls that wait at the same time. See {@link arrayBatches}. */
  arrays(of: ArrayFunction): (call: ArrayCall) => Promise<boolean>;
  /** Calls a function of the schema in its own transaction. Not repeated when the connection was lost. */
  call(name: string, ...values: SqlValue[]): Promise<unknown>;
  /** The same for a function that returns rows. */
  callRows(name: string, ...values: SqlValue[]): Promise<readonly Row[]>;
}

export interface ConnectionParts {
  readonly clock: StoreClock;
  /** Default: on one server. */
  readonly layout?: Layout;
  readonly session: Session;
  readonly named: (sql: string) => string;
  readonly statements: Statements;
  readonly runPiece: <T>(piece: Piece<T>) => Promise<T>;
  readonly inTransaction: RepeatableTransactions;
  readonly callOnce: RepeatableCalls;
  /** Gets a function for each kind of batches, which resolves when none is under way. */
  readonly drains?: (() => Promise<void>)[];
  /** Throws when the store was closed. */
  readonly assertOpen: () => void;
  readonly noteWork?: () => void;
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
    layout = ON_ONE_SERVER,
    session,
    named,
    statements,
    inTransaction,
    callOnce,
    assertOpen,
    noteWork = ignore,
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

  async function change(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    assertOpen();
    const run = () => session.run(statementOf(sql), values);
    return repeatsReads ? repeatedly(run, isRolledBack) : run().catch(rethrow);
  }

  const callRows = (name: string, ...values: SqlValue[]) =>
    change(`SELECT * FROM @${name}(${values.map((_, index) => `$${index + 1}`).join(", ")})`, values);

  async function runPiece<T>(piece: Piece<T>): Promise<T> {
    assertOpen();
    return parts.runPiece(piece).catch(noteTaken);
  }

  const reads =
    (sql: string) =>
    (...values: SqlValue[]) =>
      read(sql, values);

  return {
    clock,
    rows: reads,
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
    lookUp: (rows) => layout.lookUp(rows, reads, repeatsReads),
    lookUpDigest: (kind, rows) => layout.lookUpDigest(kind, rows, reads, repeatsReads),
    planned: (sql, values) => runFairly(values[0], () => read(sql, values, false)),
    changes:
      (sql) =>
      (...values) =>
        change(sql, values),
    statements,
    runPiece,
    write: (business, footprint, work) =>
      runPiece({
        business,
        footprint: footprint === "all" ? "all" : new Set(footprint),
        size: SMALL_PIECE,
        inspect: async (open) => () => work(open),
      }),
    inTransaction: async (...of) => {
      assertOpen();
      return inTransaction(...of);
    },
    noteWork,
    arrays: (of) => {
      const batches = arrayBatches(of, callOnce, named);
      drains.push(() => batches.drain());
      return async (call) => {
        assertOpen();
        return batches.commit(call).catch(noteTaken);
      };
    },
    call: async (name, ...values) => (await callRows(name, ...values))[0]?.[0],
    callRows,
  };
}

/** Lists and counts may be slow: they leave connections to look-ups, and each business leaves slots to the others. */
const LISTS: SemaphoreLimits = { slots: 4, slotsPerKey: 2, maxWaiting: 1_000, timeoutMs: 5_000 };

/** About the bytes of a piece that has no documents. */
const SMALL_PIECE = 1_000;

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
