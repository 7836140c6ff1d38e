import { StoreUnavailable } from "@budgetkit/core/store";

/**
 * Group commit: writes that wait at the same time share one commit.
 *
 * A durable commit costs about the same for one change as for a hundred. The waiting writes form a batch, the batch is
 * committed once, and each caller gets its own outcome after that commit.
 */
export interface GroupCommit<Work, Outcome> {
  /** Resolves or rejects with the outcome of this work, after its batch is committed. */
  commit(work: Work): Promise<Outcome>;
  /** The same for a caller with a promise of its own. Neither callback may throw. */
  add(work: Work, resolve: (outcome: Outcome) => void, reject: (reason: unknown) => void): void;
  /** Resolves when no work waits or runs. */
  drain(): Promise<void>;
}

export interface GroupCommitOptions<Work, Outcome> {
  /**
   * Commits a batch; returns one outcome for each piece, in order. When it throws or rejects, nothing of the batch is
   * committed and every piece fails with that error. With StoreUnavailable every waiting piece fails too.
   */
  readonly run: (
    batch: readonly Work[],
  ) => readonly PromiseSettledResult<Outcome>[] | Promise<readonly PromiseSettledResult<Outcome>[]>;
  /** The most pieces that share a commit. */
  readonly maxBatch?: number;
  /** The largest total weight of a batch. A heavier piece has its own commit. Default: no limit. */
  readonly maxWeight?: number;
  readonly weigh?: (work: Work) => number;
  /** How many batches may run at the same time. Later work waits for the next batch. Default 1. */
  readonly maxInFlight?: number;
  /**
   * For how many turns a batch gathers at most. It closes after the first turn that brings nothing new. Default 1.
   */
  readonly maxTurns?: number;
  /** Runs `then` at the end of a turn. Default: of the event loop, after the input events that already wait. */
  readonly schedule?: (then: () => void) => void;
}

interface Waiting<Work, Outcome> {
  readonly work: Work;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (reason: unknown) => void;
}

const DEFAULT_MAX_BATCH = 256;

export function createGroupCommit<Work, Outcome>(
  options: GroupCommitOptions<Work, Outcome>,
): GroupCommit<Work, Outcome> {
  const { run, maxBatch = DEFAULT_MAX_BATCH, maxInFlight = 1, schedule = setImmediate } = options;
  const { maxWeight = Number.POSITIVE_INFINITY, weigh = () => 0, maxTurns = 1 } = options;
  const waiting: Waiting<Work, Outcome>[] = [];
  let inFlight = 0;
  let gathering = false;
  let onIdle: (() => void)[] = [];

  function add(work: Work, resolve: (outcome: Outcome) => void, reject: (reason: unknown) => void): void {
    waiting.push({ work, resolve, reject });
    gather();
  }

  function gather(): void {
    if (gathering || waiting.length === 0 || inFlight >= maxInFlight) return;
    gathering = true;
    waitForMore(maxTurns);
  }

  function waitForMore(turns: number): void {
    const known = waiting.length;
    schedule(() => {
      const hasGrown = waiting.length > known && waiting.length < maxBatch;
      if (hasGrown && turns > 1) return waitForMore(turns - 1);
      gathering = false;
      void perform(waiting.splice(0, sizeOfNext()));
      gather();
    });
  }

  function sizeOfNext(): number {
    let weight = 0;
    const tooMuch = waiting.slice(0, maxBatch).findIndex(({ work }) => {
      weight += weigh(work);
      return weight > maxWeight;
    });
    return tooMuch === -1 ? maxBatch : Math.max(1, tooMuch);
  }

  async function perform(batch: readonly Waiting<Work, Outcome>[]): Promise<void> {
    inFlight += 1;
    try {
      const outcomes = await run(batch.map(({ work }) => work));
      batch.forEach((piece, index) => {
        settle(piece, outcomes[index]);
      });
    } catch (error) {
      for (const piece of batch) piece.reject(error);
      // The waiting pieces would fail the same way, only later.
      if (error instanceof StoreUnavailable) for (const piece of waiting.splice(0)) piece.reject(error);
    }
    inFlight -= 1;
    gather();
    if (isIdle()) announceIdle();
  }

  function isIdle(): boolean {
    return waiting.length === 0 && inFlight === 0;
  }

  function announceIdle(): void {
    const listeners = onIdle;
    onIdle = [];
    for (const listener of listeners) listener();
  }

  return {
    add,
    commit: (work) => new Promise((resolve, reject) => add(work, resolve, reject)),
    drain: async () => {
      if (isIdle()) return;
      await new Promise<void>((resolve) => {
        onIdle.push(resolve);
      });
    },
  };
}

function settle<Work, Outcome>(
  piece: Waiting<Work, Outcome>,
  outcome: PromiseSettledResult<Outcome> | undefined,
): void {
  if (outcome === undefined) piece.reject(new Error("the batch returned no outcome for this piece"));
  else if (outcome.status === "fulfilled") piece.resolve(outcome.value);
  else piece.reject(outcome.reason);
}
