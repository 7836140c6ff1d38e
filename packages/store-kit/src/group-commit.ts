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

const DEFAULTS = {
  maxBatch: 256,
  maxInFlight: 1,
  maxTurns: 1,
  maxWeight: Number.POSITIVE_INFINITY,
  weigh: () => 0,
  schedule: (then: () => void): void => void setImmediate(then),
};

export function createGroupCommit<Work, Outcome>(
  options: GroupCommitOptions<Work, Outcome>,
): GroupCommit<Work, Outcome> {
  return new BatchQueue(options);
}

/** Gathers work while a batch runs, and runs it as the next one. */
class BatchQueue<Work, Outcome> implements GroupCommit<Work, Outcome> {
  readonly #options: Required<GroupCommitOptions<Work, Outcome>>;
  readonly #waiting: Waiting<Work, Outcome>[] = [];
  #inFlight = 0;
  #isGathering = false;
  #onIdle: (() => void)[] = [];

  constructor(options: GroupCommitOptions<Work, Outcome>) {
    this.#options = { ...DEFAULTS, ...options };
  }

  add(work: Work, resolve: (outcome: Outcome) => void, reject: (reason: unknown) => void): void {
    this.#waiting.push({ work, resolve, reject });
    this.#gather();
  }

  commit(work: Work): Promise<Outcome> {
    return new Promise((resolve, reject) => this.add(work, resolve, reject));
  }

  async drain(): Promise<void> {
    if (this.#isIdle) return;
    await new Promise<void>((resolve) => {
      this.#onIdle.push(resolve);
    });
  }

  get #isIdle(): boolean {
    return this.#waiting.length === 0 && this.#inFlight === 0;
  }

  #gather(): void {
    if (this.#isGathering || this.#waiting.length === 0 || this.#inFlight >= this.#options.maxInFlight) return;
    this.#isGathering = true;
    this.#waitForMore(this.#options.maxTurns);
  }

  #waitForMore(turns: number): void {
    const { schedule, maxBatch } = this.#options;
    const known = this.#waiting.length;
    schedule(() => {
      const hasGrown = this.#waiting.length > known && this.#waiting.length < maxBatch;
      if (hasGrown && turns > 1) return this.#waitForMore(turns - 1);
      this.#isGathering = false;
      void this.#perform(this.#waiting.splice(0, this.#sizeOfNext()));
      this.#gather();
    });
  }

  #sizeOfNext(): number {
    const { maxBatch, maxWeight, weigh } = this.#options;
    let weight = 0;
    const tooMuch = this.#waiting.slice(0, maxBatch).findIndex(({ work }) => {
      weight += weigh(work);
      return weight > maxWeight;
    });
    return tooMuch === -1 ? maxBatch : Math.max(1, tooMuch);
  }

  async #perform(batch: readonly Waiting<Work, Outcome>[]): Promise<void> {
    this.#inFlight += 1;
    try {
      const outcomes = await this.#options.run(batch.map(({ work }) => work));
      batch.forEach((piece, index) => {
        settlePiece(piece, outcomes[index]);
      });
    } catch (error) {
      for (const piece of batch) piece.reject(error);
      // The waiting pieces would fail the same way, only later.
      if (error instanceof StoreUnavailable) for (const piece of this.#waiting.splice(0)) piece.reject(error);
    }
    this.#inFlight -= 1;
    this.#gather();
    if (this.#isIdle) for (const listener of this.#onIdle.splice(0)) listener();
  }
}

function settlePiece<Work, Outcome>(
  piece: Waiting<Work, Outcome>,
  outcome: PromiseSettledResult<Outcome> | undefined,
): void {
  if (outcome === undefined) piece.reject(new Error("the batch returned no outcome for this piece"));
  else if (outcome.status === "fulfilled") piece.resolve(outcome.value);
  else piece.reject(outcome.reason);
}
