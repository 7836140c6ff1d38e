import { randomUUID } from "node:crypto";
import { createGroupCommit, StoreUnavailable } from "@budgetkit/core/store";
import { type Answer, answersOf, bundlesOf, type Call, resultOf, textOf } from "./bundles.js";
import { prepared, repeatedly, type Session } from "./session.js";

/** What became of a call, or where to wait for it. */
type Settled = PromiseSettledResult<() => Promise<unknown>>;

/** Carries calls out and gives what each answered. */
export type Commit = (call: Call) => Promise<unknown>;

/** How long a batch waits for a business that another transaction is at work on, before it goes ahead without it. */
const PATIENCE_OF_BATCH_MS = 100;

/** How long a call waits that a batch went ahead without. */
const PATIENCE_MS = 5_000;

/** Further batches may wait at the disk meanwhile; more than two gain nothing, since they only get smaller. */
const BATCHES_IN_FLIGHT = 2;

/**
 * Calls that wait at the same time share one statement, and so one transaction and one round trip. A batch has an id,
 * under which its answers are kept: one whose connection was lost is sent again under the same id, and is then answered
 * with what it did, if it did it.
 *
 * A business that a host's own transaction holds keeps only itself waiting: its calls leave the batch and wait apart.
 */
export function groupedCommits(session: Session, named: (sql: string) => string): Commit & { drain(): Promise<void> } {
  const statement = prepared(named("SELECT @commit($1, $2, $3)"));
  const apart = new Map<number, Promise<unknown>>();
  const group = createGroupCommit({ run: (calls: readonly Call[]) => runBatch(calls), maxInFlight: BATCHES_IN_FLIGHT });

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
      return (await Promise.all(calls.map((call) => runBatch([call]).catch(rejected)))).flat(); // one spoils it for all
    }
  }

  function settledBy(call: Call, answer: Answer | undefined): Settled {
    return { status: "fulfilled", value: async () => (answer === "busy" ? commitApart(call) : resultOf(answer)) };
  }

  /**
   * One after the other for each business, so that what waits never takes up more than one connection of it. A call that
   * has waited for its patience is given up, whoever is before it.
   */
  async function commitApart(call: Call): Promise<unknown> {
    const business = call.business ?? 0;
    const givesUpAt = performance.now() + PATIENCE_MS;
    const turn = (apart.get(business) ?? Promise.resolve()).then(async () => {
      const patience = Math.ceil(givesUpAt - performance.now());
      const [answer = "busy"] = patience > 0 ? await send([call], patience) : [];
      return resultOf(answer);
    });
    const settled = turn.catch(() => {});
    apart.set(business, settled);
    try {
      return await turn;
    } finally {
      if (apart.get(business) === settled) apart.delete(business);
    }
  }

  const isHeld = ({ business }: Call) => business !== null && apart.has(business);
  const commit = async (call: Call) => (isHeld(call) ? commitApart(call) : (await group.commit(call))());
  return Object.assign(commit, {
    drain: async () => {
      await group.drain();
      await Promise.all(apart.values());
    },
  });
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

function rejected(reason: unknown): readonly Settled[] {
  return [{ status: "rejected", reason }];
}
