import { randomUUID } from "node:crypto";
import { createGroupCommit, type GroupCommit, StoreUnavailable } from "@budgetkit/core/store";
import { type Answer, answersOf, bundlesOf, type Call, outcomeOf, resultOf, textOf } from "./bundles.js";
import { prepared, repeatedly, type Session } from "./session.js";
import { createTurns, type TurnLimits } from "./turns.js";

/** What became of a call, or where to wait for it. */
type Settled = PromiseSettledResult<() => Promise<unknown>>;

/** Carries calls out and gives what each answered. */
export type Commit = (call: Call) => Promise<unknown>;

/** How long a batch waits for a business that another transaction is at work on, before it goes ahead without it. */
const PATIENCE_OF_BATCH_MS = 100;

/** How long a call waits that a batch went ahead without. */
const PATIENCE_MS = 5_000;

/** Calls that wait apart take few connections, one a business, and each of these only for a while at a time. */
const APART: TurnLimits = { places: 3, placesOfOne: 1, waiting: Number.POSITIVE_INFINITY, patienceMs: PATIENCE_MS };
const PATIENCE_OF_TURN_MS = 250;

/** Further batches may wait at the disk meanwhile; more than two gain nothing, since they only get smaller. */
const BATCHES_IN_FLIGHT = 2;

/** Characters of arguments: what is large waits for what is large, and not everybody else with it. */
const BATCH_SIZE = 1024 * 1024;

/**
 * Calls that wait at the same time share one statement, and so one transaction and one round trip. A batch has an id,
 * under which its answers are kept: one whose connection was lost is sent again under the same id, and is then answered
 * with what it did, if it did it.
 *
 * A business that a host's own transaction holds keeps only itself waiting: its calls leave the batch and wait apart,
 * until the first of them gets through.
 */
export function groupedCommits(session: Session, named: (sql: string) => string): Commit & { drain(): Promise<void> } {
  const statement = prepared(named("SELECT @commit($1, $2, $3)"));
  const group = createGroupCommit({
    run: runBatch,
    maxInFlight: BATCHES_IN_FLIGHT,
    maxWeight: BATCH_SIZE,
    weigh: sizeOf,
  });
  const held = new Map<number, GroupCommit<Late, unknown>>();
  const late = new Set<Promise<unknown>>();
  const inTurn = createTurns(APART);

  async function send(calls: readonly Call[], patience: number): Promise<readonly Answer[]> {
    const bundles = bundlesOf(calls);
    const values = [randomUUID(), textOf(bundles), patience];
    const [row] = await repeatedly(() => session.run(statement, values));
    return answersOf(bundles, row?.[0]);
  }

  async function runBatch(calls: readonly Call[]): Promise<readonly Settled[]> {
    try {
      const answers = await send(calls, PATIENCE_OF_BATCH_MS);
      return calls.map((call, index) => settledBy(call, answers[index]));
    } catch (error) {
      if (error instanceof StoreUnavailable || calls.length === 1) throw error;
      return eachAlone(calls, runBatch); // one spoils it for all
    }
  }

  function settledBy(call: Call, answer: Answer | undefined): Settled {
    return { status: "fulfilled", value: async () => (answer === "busy" ? commitLate(call) : resultOf(answer)) };
  }

  /** Calls of one business, which wait together for as long as it is held, each until its patience ends. */
  async function runApart(business: number, calls: readonly Late[]): Promise<readonly PromiseSettledResult<unknown>[]> {
    const outcomes = new Map<Late, PromiseSettledResult<unknown>>();
    try {
      for (let asked = inTime(calls); asked.length > 0; asked = inTime(calls)) {
        const batch = asked.map(({ call }) => call);
        const answers = await inTurn(business, () => send(batch, PATIENCE_OF_TURN_MS));
        if (answers.includes("busy")) continue;
        held.delete(business);
        for (const [index, one] of asked.entries()) outcomes.set(one, outcomeOf(answers[index]));
        break;
      }
    } catch (error) {
      if (error instanceof StoreUnavailable || calls.length === 1) throw error;
      return eachAlone(calls, (alone) => runApart(business, alone));
    }
    return calls.map((call) => outcomes.get(call) ?? outcomeOf("busy"));
  }

  function commitLate(call: Call): Promise<unknown> {
    const business = call.business ?? 0; // none: nobody holds it
    const known = held.get(business);
    const run = (calls: readonly Late[]) => runApart(business, calls);
    const apart = known ?? createGroupCommit({ run, maxWeight: BATCH_SIZE, weigh: ({ call }: Late) => sizeOf(call) });
    held.set(business, apart);
    const committed = apart.commit({ call, givesUpAt: performance.now() + PATIENCE_MS });
    const ended = committed.then(ignore, ignore).finally(() => late.delete(ended));
    late.add(ended);
    return committed;
  }

  const isHeld = ({ business }: Call) => business !== null && held.has(business);
  const commit = async (call: Call) => (isHeld(call) ? commitLate(call) : (await group.commit(call))());
  return Object.assign(commit, {
    drain: async () => {
      await group.drain();
      await Promise.all(late);
    },
  });
}

function sizeOf({ argument }: Call): number {
  return argument.length;
}

/** A call that a batch went ahead without. */
interface Late {
  readonly call: Call;
  readonly givesUpAt: number; // as performance.now() has it
}

function inTime(calls: readonly Late[]): readonly Late[] {
  const now = performance.now();
  return calls.filter(({ givesUpAt }) => now < givesUpAt);
}

/** Calls that become a part of the transaction that is open on the session, each whole or not at all. */
export function commitsWithin(session: Session, named: (sql: string) => string): Commit {
  const statement = prepared(named("SELECT @apply_within($1, $2)"));
  return async (call) => {
    const bundles = bundlesOf([call]);
    const [row] = await session.run(statement, [textOf(bundles), PATIENCE_MS]);
    return resultOf(answersOf(bundles, row?.[0])[0]);
  };
}

/** Gives each its own outcome, of work that fails them all when it fails for one. */
async function eachAlone<Work, Outcome>(
  all: readonly Work[],
  run: (alone: readonly Work[]) => Promise<readonly PromiseSettledResult<Outcome>[]>,
): Promise<readonly PromiseSettledResult<Outcome>[]> {
  const rejected = (reason: unknown) => [{ status: "rejected", reason } as const];
  return (await Promise.all(all.map((one) => run([one]).catch(rejected)))).flat();
}

function ignore(): void {}
