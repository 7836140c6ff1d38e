import { randomUUID } from "node:crypto";
import { createFairSemaphore, type SemaphoreLimits, StoreUnavailable } from "@budgetkit/core/store";
import { createGroupCommit, type GroupCommit } from "@budgetkit/store-kit";
import {
  type Answer,
  type Call,
  type CallResult,
  decodeBatch,
  decodeMade,
  encodeBatch,
  groupCalls,
  keysOfPlanned,
  outcomeOf,
  readAnswer,
} from "./batch-codec.js";
import { prepared, repeatedly, type Session } from "./session.js";

/** Runs a call and resolves with its answer after the commit. */
export type Commit = (call: Call) => Promise<Answer>;

/** How long a batch waits for a business that another transaction holds, before it leaves the business out. */
const BATCH_LOCK_TIMEOUT_MS = 100;

/** How long a call waits that a batch has left out. */
const CALL_TIMEOUT_MS = 5_000;

/** Calls that were left out use few connections: one a business, and each for one lock timeout at a time. */
const APART: SemaphoreLimits = {
  slots: 3,
  slotsPerKey: 1,
  maxWaiting: Number.POSITIVE_INFINITY,
  timeoutMs: CALL_TIMEOUT_MS,
};
const APART_LOCK_TIMEOUT_MS = 250;

/** One batch may wait for the disk while the next is sent. A third only makes the batches smaller. */
const BATCHES_IN_FLIGHT = 2;

/** Requests that arrive at the same time reach their write in different turns of the event loop. */
const BATCH_TURNS = 3;

/** Characters of arguments in a batch, so that a large call delays few others. */
export const BATCH_SIZE = 1024 * 1024;

/**
 * Calls that wait at the same time share one statement, and so one transaction and one round trip. The schema keeps the
 * answers of a batch under its id: a batch whose connection was lost is sent again under the same id, and gets the
 * answers of the first attempt if that was committed.
 *
 * A business that a host's transaction holds delays only its own calls: they leave the batch and wait apart, until the
 * first of them succeeds.
 */
export function groupedCommits(session: Session, named: (sql: string) => string): Commit & { drain(): Promise<void> } {
  const send = batchSender(session, named);
  const group = createGroupCommit({
    run: runBatch,
    maxInFlight: BATCHES_IN_FLIGHT,
    maxTurns: BATCH_TURNS,
    maxWeight: BATCH_SIZE,
    weigh: sizeOf,
  });
  const held = new Map<number, GroupCommit<Late, Answer>>();
  const late = new Set<Promise<unknown>>();
  const runFairly = createFairSemaphore(APART, (reason) => new StoreUnavailable(reason));

  async function runBatch(calls: readonly Call[]): Promise<readonly PromiseSettledResult<CallResult>[]> {
    try {
      const results = await send(calls, BATCH_LOCK_TIMEOUT_MS);
      return results.map((value) => ({ status: "fulfilled", value }));
    } catch (error) {
      if (error instanceof StoreUnavailable || calls.length === 1) throw error;
      return eachAlone(calls, runBatch); // one call made the whole batch fail
    }
  }

  /** Runs calls of one business together, as soon as the business is free. Each call waits until its own timeout. */
  async function runApart(business: number, calls: readonly Late[]): Promise<readonly PromiseSettledResult<Answer>[]> {
    const outcomes = new Map<Late, PromiseSettledResult<Answer>>();
    try {
      for (let asked = inTime(calls); asked.length > 0; asked = inTime(calls)) {
        const batch = asked.map(({ call }) => call);
        const results = await runFairly(business, () => send(batch, APART_LOCK_TIMEOUT_MS));
        if (results.includes("busy")) continue;
        held.delete(business);
        for (const [index, one] of asked.entries()) outcomes.set(one, outcomeOf(results[index]));
        break;
      }
    } catch (error) {
      if (error instanceof StoreUnavailable || calls.length === 1) throw error;
      return eachAlone(calls, (alone) => runApart(business, alone));
    }
    return calls.map((call) => outcomes.get(call) ?? outcomeOf("busy"));
  }

  function commitLate(call: Call): Promise<Answer> {
    const business = call.business ?? 0; // 0: a call without business is never left out
    const known = held.get(business);
    const run = (calls: readonly Late[]) => runApart(business, calls);
    const apart = known ?? createGroupCommit({ run, maxWeight: BATCH_SIZE, weigh: ({ call }: Late) => sizeOf(call) });
    held.set(business, apart);
    const committed = apart.commit({ call, givesUpAt: performance.now() + CALL_TIMEOUT_MS });
    const ended = committed.then(ignore, ignore).finally(() => late.delete(ended));
    late.add(ended);
    return committed;
  }

  const isHeld = ({ business }: Call) => business !== null && held.has(business);
  const commit = async (call: Call) => {
    const result = isHeld(call) ? "busy" : await group.commit(call);
    return result === "busy" ? commitLate(call) : readAnswer(result);
  };
  return Object.assign(commit, {
    drain: async () => {
      await group.drain();
      await Promise.all(late);
    },
  });
}

/** Sends a batch in one statement. */
function batchSender(
  session: Session,
  named: (sql: string) => string,
): (calls: readonly Call[], lockTimeoutMs: number) => Promise<readonly CallResult[]> {
  const statement = prepared(named("SELECT @commit_batch($1, $2, $3, $4)"));
  const withBodies = prepared(named("SELECT answers, bodies FROM @commit_planned_batch($1, $2, $3, $4, $5, $6)"));
  return async (calls, lockTimeoutMs) => {
    const groups = groupCalls(calls);
    const values = [randomUUID(), ...encodeBatch(groups), lockTimeoutMs];
    const isPlanned = calls.some(({ planned }) => planned !== undefined);
    let attempts = 0;
    const [row] = await repeatedly(() => {
      attempts += 1;
      if (!isPlanned) return session.run(statement, values);
      return session.run(withBodies, [...values, ...keysOfPlanned(calls)]);
    });
    // A commit that is repeated may be older: its deliveries may have changed since.
    const made = isPlanned && attempts === 1 ? decodeMade(calls, row?.[1]) : [];
    return decodeBatch(groups, row?.[0], made);
  };
}

function sizeOf({ argument, texts = [] }: Call): number {
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), argument.length);
}

/** A call that a batch has left out. */
interface Late {
  readonly call: Call;
  readonly givesUpAt: number; // of performance.now()
}

function inTime(calls: readonly Late[]): readonly Late[] {
  const now = performance.now();
  return calls.filter(({ givesUpAt }) => now < givesUpAt);
}

/** Calls that join the transaction that is open on the session. A call that fails is undone by itself. */
export function commitsWithin(session: Session, named: (sql: string) => string): Commit {
  const statement = prepared(named("SELECT @commit_within($1, $2, $3)"));
  return async (call) => {
    const groups = groupCalls([call]);
    const [row] = await session.run(statement, [...encodeBatch(groups), CALL_TIMEOUT_MS]);
    return readAnswer(decodeBatch(groups, row?.[0])[0]);
  };
}

/** Runs each alone, for its own outcome, after one has failed the work of all. */
export async function eachAlone<Work, Outcome>(
  all: readonly Work[],
  run: (alone: readonly Work[]) => Promise<readonly PromiseSettledResult<Outcome>[]>,
): Promise<readonly PromiseSettledResult<Outcome>[]> {
  const rejected = (reason: unknown) => [{ status: "rejected", reason } as const];
  return (await Promise.all(all.map((one) => run([one]).catch(rejected)))).flat();
}

function ignore(): void {}
