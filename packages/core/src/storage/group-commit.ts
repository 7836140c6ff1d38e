import { StoreUnavailable } from "../kernel/problem.js";

/**
 * Group commit: pieces of work that arrive together go to the disk together.
 *
 * A durable commit costs about the same whether it carries one change or a hundred. So a store hands its writes in
 * here; those that wait at the same time form a batch, the batch is committed once, and every caller learns of its own
 * outcome only after that commit.
 */
export interface GroupCommit<Work, Outcome> {
  /** Resolves or rejects with this work's own outcome, once the batch that carries it has been committed. */
  commit(work: Work): Promise<Outcome>;
  /** Resolves when nothing waits and nothing is under way. */
  drain(): Promise<void>;
}

export interface GroupCommitOptions<Work, Outcome> {
  /**
   * Commits a batch: one outcome for each piece, in the order given. When it throws or rejects, nothing of the batch
   * was committed, and every piece fails with that error; with StoreUnavailable, so does every piece that waits by then.
   */
  readonly run: (
    batch: readonly Work[],
  ) => readonly PromiseSettledResult<Outcome>[] | Promise<readonly PromiseSettledResult<Outcome>[]>;
  /** The most pieces that share a commit. */
  readonly maxBatch?: number;
  /** The most that they may weigh together; one that is heavier has a commit of its own. Default: they weigh nothing. */
  readonly maxWeight?: number;
  readonly weigh?: (work: Work) => number;
  /** How many batches may be under way at once; those that arrive meanwhile gather for the next. */
  readonly maxInFlight?: number;
  /** When a batch that has begun to gather is closed. Default: after the input events that are already there. */
  readonly schedule?: (close: () => void) => void;
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
  const { maxWeight = Number.POSITIVE_INFINITY, weigh = () => 0 } = options;
  const waiting: Waiting<Work, Outcome>[] = [];
  let inFlight = 0;
  let gathering = false;
  let onIdle: (() => void)[] = [];

  function gather(): void {
    if (gathering || waiting.length === 0 || inFlight >= maxInFlight) return;
    gathering = true;
    schedule(() => {
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
      // What waits would only wait longer for the same answer.
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
    commit: (work) =>
      new Promise((resolve, reject) => {
        waiting.push({ work, resolve, reject });
        gather();
      }),
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
  if (outcome === undefined) piece.reject(new Error("the batch came back without an outcome for this piece"));
  else if (outcome.status === "fulfilled") piece.resolve(outcome.value);
  else piece.reject(outcome.reason);
}
