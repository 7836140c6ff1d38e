import { createFairSemaphore, isIdTaken, type SemaphoreLimits, StoreUnavailable } from "@budgetkit/core/store";
import { createGroupCommit, type GroupCommit } from "@budgetkit/store-kit";
import type { PieceOutcome, RunBatch } from "./run-batch.js";
import { keepingResult, type Piece } from "./run-pieces.js";

/** How long a batch waits for businesses that another transaction holds, before it leaves them out. */
const BATCH_LOCK_TIMEOUT_MS = 100;

/** How long a piece waits that a batch has left out. */
export const PIECE_TIMEOUT_MS = 5_000;

/** Pieces that were left out use few connections: one a business, and each for one lock timeout at a time. */
const APART: SemaphoreLimits = {
  slots: 3,
  slotsPerKey: 1,
  maxWaiting: Number.POSITIVE_INFINITY,
  timeoutMs: PIECE_TIMEOUT_MS,
};
const APART_LOCK_TIMEOUT_MS = 250;

/** One batch may wait for the disk while the next is sent. A third only makes the batches smaller. */
const BATCHES_IN_FLIGHT = 2;

/** Requests that arrive at the same time reach their write in different turns of the event loop. */
const BATCH_TURNS = 3;

/** Bytes in a batch, so that a large piece delays few others. */
const BATCH_SIZE = 1024 * 1024;

type Outcome = PromiseSettledResult<PieceOutcome>;

/** Runs pieces of businesses, and resolves with their results after the commit. */
export interface CommitQueue {
  run<T>(piece: Piece<T>): Promise<T>;
  drain(): Promise<void>;
}

/**
 * Pieces that wait at the same time share one transaction. A business that another transaction holds delays only its own
 * pieces: they leave the batch and wait apart, until the first of them succeeds.
 */
export function commitQueue(runBatch: RunBatch): CommitQueue {
  const group = createGroupCommit({
    run: (pieces: readonly Piece[]) => outcomesOf(pieces, BATCH_LOCK_TIMEOUT_MS),
    maxInFlight: BATCHES_IN_FLIGHT,
    maxTurns: BATCH_TURNS,
    maxWeight: BATCH_SIZE,
    weigh: ({ size }) => size,
  });
  const held = new Map<number, GroupCommit<Late, PieceOutcome>>();
  const late = new Set<Promise<unknown>>();
  const runFairly = createFairSemaphore(APART, (reason) => new StoreUnavailable(reason));

  /** When a piece fails the batch, all are undone and each runs by itself, so that it fails alone. */
  async function outcomesOf(pieces: readonly Piece[], lockTimeoutMs: number): Promise<readonly Outcome[]> {
    try {
      const results = await runBatch(pieces, lockTimeoutMs);
      return results.map((value) => ({ status: "fulfilled", value }));
    } catch (error) {
      if (error instanceof StoreUnavailable && !isIdTaken(error)) throw error;
      return Promise.all(pieces.map((piece) => outcomeAlone(piece, lockTimeoutMs)));
    }
  }

  /** A duplicate is decided once more: what another business or process has written meanwhile is then seen. */
  async function outcomeAlone(piece: Piece, lockTimeoutMs: number): Promise<Outcome> {
    const run = async () => (await runBatch([piece], lockTimeoutMs))[0] ?? "busy";
    const again = (error: unknown) => (isIdTaken(error) ? run() : Promise.reject(error));
    const [outcome] = await Promise.allSettled([run().catch(again)]);
    return outcome;
  }

  async function runApart(business: number, all: readonly Late[]): Promise<readonly Outcome[]> {
    const outcomes = new Map<Late, Outcome>();
    for (let left = inTime(all); left.length > 0; left = inTime(left)) {
      const pieces = left;
      const ran = await runFairly(business, () =>
        outcomesOf(
          pieces.map(({ piece }) => piece),
          APART_LOCK_TIMEOUT_MS,
        ),
      );
      for (const [index, each] of pieces.entries()) {
        const outcome = ran[index];
        if (outcome === undefined || (outcome.status === "fulfilled" && outcome.value === "busy")) continue;
        outcomes.set(each, outcome);
      }
      left = left.filter((each) => !outcomes.has(each));
    }
    held.delete(business);
    return all.map((each) => outcomes.get(each) ?? { status: "rejected", reason: heldForTooLong() });
  }

  function runLate(piece: Piece): Promise<PieceOutcome> {
    const { business } = piece;
    const run = (all: readonly Late[]) => runApart(business, all);
    const apart =
      held.get(business) ?? createGroupCommit({ run, maxWeight: BATCH_SIZE, weigh: (each: Late) => each.piece.size });
    held.set(business, apart);
    const committed = apart.commit({ piece, givesUpAt: performance.now() + PIECE_TIMEOUT_MS });
    const ended = committed.then(ignore, ignore).finally(() => late.delete(ended));
    late.add(ended);
    return committed;
  }

  return {
    run: async (piece) => {
      const { kept, result } = keepingResult(piece);
      const outcome = held.has(piece.business) ? "busy" : await group.commit(kept);
      const last = outcome === "busy" ? await runLate(kept) : outcome;
      const found = result();
      if (found === null) throw new TypeError("a piece was committed that has not run");
      return last === "repeated" && piece.whenRepeated !== undefined ? piece.whenRepeated(found.value) : found.value;
    },
    drain: async () => {
      await group.drain();
      await Promise.all(late);
    },
  };
}

/** A piece that a batch has left out. */
interface Late {
  readonly piece: Piece;
  readonly givesUpAt: number; // of performance.now()
}

function inTime(all: readonly Late[]): readonly Late[] {
  const now = performance.now();
  return all.filter(({ givesUpAt }) => now < givesUpAt);
}

function heldForTooLong(): StoreUnavailable {
  return new StoreUnavailable("another transaction holds the business for too long");
}

function ignore(): void {}
