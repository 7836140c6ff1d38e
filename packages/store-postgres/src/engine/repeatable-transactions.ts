import { randomUUID } from "node:crypto";
import { isIdTaken, StoreUnavailable } from "@budgetkit/core/store";
import { asInteger, asList } from "@budgetkit/store-kit";
import type { Pool, PoolClient } from "pg";
import { asError, codeOf, isLost, NotCommitted, storeFailure } from "./failures.js";
import { type GatheredStatements, gatheredOn } from "./gathered-statements.js";
import { type Layout, ON_ONE_SERVER } from "./layout.js";
import type { Explain } from "./newer-schema.js";
import {
  isLostOrRolledBack,
  type PreparedStatement,
  prepared,
  repeatedly,
  type SqlValue,
  sessionOn,
} from "./session.js";

/** The businesses that a transaction locks before its other statements, and how long it waits for all of the locks. */
interface Locks {
  readonly businesses: readonly number[]; // in ascending order
  readonly timeoutMs: number;
  /** Whether the transaction fails when one of them is busy. Then the work need not wait for the locks. */
  readonly isRequired: boolean;
}

/** What a transaction has committed. Repeated: an earlier attempt was lost, so that the commit may be older. */
interface Done<T> {
  readonly result: T;
  readonly isRepeated: boolean;
}

/**
 * Runs work in a transaction of its own, and resolves with its result after the commit. `busy` are the businesses whose
 * locks others held for longer than the timeout. The work may run again in another transaction.
 */
export type RepeatableTransactions = <T>(
  locks: Locks,
  work: (statements: GatheredStatements, busy: Promise<ReadonlySet<number>>) => Promise<T>,
) => Promise<Done<T>>;

interface TransactionParts {
  readonly version: number;
  readonly explain: Explain;
  readonly layout?: Layout;
}

/**
 * Runs one statement in a transaction of its own, all in one round trip, and resolves with the first value of its first
 * row. The first value that it is given, before the others, is the id of the batch: it keeps its answer as the `answers` of
 * that row, where a repetition finds it.
 */
export type RepeatableCalls = (statement: PreparedStatement, values: readonly SqlValue[]) => Promise<unknown>;

/**
 * A transaction whose connection was lost runs again under the same id: when the first attempt was committed, the id is
 * taken, and the result of that attempt holds. `version`: of the schema, so that no process writes to that of another release.
 */
export function repeatableTransactions(
  pool: Pool,
  named: (sql: string) => string,
  parts: TransactionParts,
): RepeatableTransactions {
  const { begin, commit } = framing(named, parts);

  return ({ businesses, timeoutMs, isRequired }, work) => {
    let committing: { readonly result: Awaited<ReturnType<typeof work>> } | null = null; // of the last attempt that has sent COMMIT

    const attempt = async (statements: GatheredStatements, id: string, onCommit: () => void) => {
      const begun = begin(statements, id, { businesses, timeoutMs, isRequired });
      const busy = isRequired ? NONE : begun.then((rows) => new Set(asList(rows[0]?.[0]).map(asInteger)));
      busy.catch(ignore); // the work fails with it
      const isRepeated = committing !== null;
      const result = await work(statements, busy);
      await busy;
      committing = { result };
      onCommit();
      await commit(statements);
      return { result, isRepeated };
    };

    return underId(pool, named, parts, businesses.length, attempt, async (_, error) => {
      if (committing === null) throw error;
      return { result: committing.result, isRepeated: true };
    });
  };
}

/** Calls that run again as {@link repeatableTransactions} do. */
export function repeatableCalls(pool: Pool, named: (sql: string) => string, parts: TransactionParts): RepeatableCalls {
  const { begin, commit } = framing(named, parts);
  const recall = prepared(named("SELECT answers FROM @batches WHERE id = $1"));

  return (statement, values) => {
    const attempt = async (statements: GatheredStatements, id: string, onCommit: () => void) => {
      void begin(statements, id, { businesses: [], timeoutMs: 0, isRequired: true });
      const answered = statements.run(statement, [id, ...values]);
      onCommit();
      await commit(statements);
      return (await answered)[0]?.[0];
    };
    return underId(pool, named, parts, 0, attempt, async (id) => (await sessionOn(pool).run(recall, [id]))[0]?.[0]);
  };
}

/** What each transaction begins and ends with. */
function framing(named: (sql: string) => string, { version, layout = ON_ONE_SERVER }: TransactionParts) {
  const begin = prepared("BEGIN ISOLATION LEVEL READ COMMITTED");
  const beginBatch = prepared(named("SELECT @begin_batch($1, $2, $3, $4, $5)"));
  const settings = layout.begin.map((sql) => prepared(named(sql)));
  const commit = prepared("COMMIT");
  return {
    begin: ({ run }: GatheredStatements, id: string, { businesses, timeoutMs, isRequired }: Locks) => {
      void run(begin, []);
      const begun = run(beginBatch, [id, businesses, timeoutMs, isRequired, version]);
      for (const setting of settings) void run(setting, []);
      return begun;
    },
    commit: ({ run }: GatheredStatements) => run(commit, []),
  };
}

/**
 * Runs the attempt under a new id until it is known whether it was committed. `onCommit`: called when it has sent COMMIT.
 * `recall` finds the result of an attempt that was committed without an answer, or rejects with the error.
 */
function underId<T>(
  pool: Pool,
  named: (sql: string) => string,
  { explain, layout = ON_ONE_SERVER }: TransactionParts,
  businesses: number,
  attempt: (statements: GatheredStatements, id: string, onCommit: () => void) => Promise<T>,
  recall: (id: string, error: unknown) => Promise<T>,
): Promise<T> {
  const id = randomUUID();
  let isUnknown = false; // whether an attempt may have been committed

  const run = async (client: PoolClient): Promise<T> => {
    const statements = gatheredOn(client);
    try {
      return await attempt(statements, id, () => {
        isUnknown = true;
      });
    } catch (error) {
      statements.fail(asError(error)); // what still runs sends nothing behind the ROLLBACK
      throw error;
    }
  };

  /** A batch of several businesses leaves those of a lost worker to transactions of their own. */
  const mayRepeat = (error: unknown) =>
    isLostOrRolledBack(error) && !(layout.mayFailInPart && businesses > 1 && isOfStatement(error) && isLost(error));

  return repeatedly(async () => {
    const wasUnknown = isUnknown;
    try {
      return await onClient(pool, run, () => {
        isUnknown = wasUnknown;
      });
    } catch (error) {
      if (wasUnknown && isIdOfBatchTaken(error)) return await recall(id, error);
      return explain(error);
    }
  }, mayRepeat).catch(async (error: unknown) => {
    const hasFailed = !(error instanceof StoreUnavailable) || isIdTaken(error);
    if (isUnknown && hasFailed && !(await forbid(pool, named, id))) return recall(id, error);
    const isKnown = !isUnknown && error instanceof StoreUnavailable && !isIdTaken(error);
    throw isKnown ? new NotCommitted(error.message, { cause: error.cause }) : error;
  });
}

/**
 * Takes the id of work that has failed, so that an attempt whose connection was lost cannot be committed any more, should it
 * reach the server late. False: it was committed.
 */
async function forbid(pool: Pool, named: (sql: string) => string, id: string): Promise<boolean> {
  try {
    await sessionOn(pool).run(prepared(named("INSERT INTO @batches (id, answers) VALUES ($1, '[]')")), [id]);
    return true;
  } catch (error) {
    if (isIdOfBatchTaken(error)) return false;
    throw storeFailure(error);
  }
}

const NONE: Promise<ReadonlySet<number>> = Promise.resolve(new Set<number>());

/**
 * Runs the attempt on a client of the pool. A failure undoes what the transaction has done; `onUndone` is called when the
 * transaction was open until then, so that it was not committed.
 */
async function onClient<T>(pool: Pool, attempt: (client: PoolClient) => Promise<T>, onUndone: () => void): Promise<T> {
  const client = await pool.connect();
  client.on("error", ignore); // a lost connection also rejects the statements under way
  let failure: Error | undefined; // of a connection that cannot be used any more
  try {
    return await attempt(client);
  } catch (error) {
    const isOver = (isLost(error) && !isOfStatement(error)) || isUnanswered(error);
    failure = isOver ? asError(error) : await undo(client, onUndone);
    throw error;
  } finally {
    client.off("error", ignore);
    client.release(failure);
  }
}

async function undo(client: PoolClient, onUndone: () => void): Promise<Error | undefined> {
  try {
    await client.query(UNDO);
    onUndone();
    return stillOpen(client);
  } catch (error) {
    return codeOf(error) === NO_TRANSACTION ? stillOpen(client) : asError(error);
  }
}

/** Fails where no transaction is open: the COMMIT has ended it. */
const UNDO = "ROLLBACK AND CHAIN; ROLLBACK";

const NO_TRANSACTION = "25P01";

/** The server reports the failure and keeps the connection: a worker of Citus may be lost, the coordinator is not. */
function isOfStatement(error: unknown): boolean {
  return error instanceof Error && "severity" in error && error.severity === "ERROR";
}

/** The connection still waits for the answer, so that nothing more can be sent on it. */
function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
}

/** On Citus the name ends in the number of the shard. */
const BATCHES_KEY = /^batches_pkey(?:_\d+)?$/;

const DUPLICATE = "23505";

function isIdOfBatchTaken(error: unknown): boolean {
  const isDuplicate = error instanceof Error && codeOf(error) === DUPLICATE;
  return isDuplicate && "constraint" in error && BATCHES_KEY.test(String(error.constraint));
}

const IDLE = "I";

/** No client goes back to the pool with a transaction. */
function stillOpen(client: PoolClient): Error | undefined {
  return client.getTransactionStatus() === IDLE ? undefined : new Error("a transaction is still open");
}

function ignore(): void {}
