import { isIdTaken, StoreUnavailable } from "@budgetkit/core/store";
import { createGroupCommit } from "@budgetkit/store-kit";
import { latePieces, type RunEach } from "./late-pieces.js";
import type { PieceOutcome, RunBatch } from "./run-batch.js";
import { keepingResult, type Piece } from "./run-pieces.js";

/** How long a batch waits for businesses that another transaction holds, before it leaves them out. */
const BATCH_LOCK_TIMEOUT_MS = 100;

/** One batch may wait for the disk while the next is sent. A third only makes the batches smaller. */
const BATCHES_IN_FLIGHT = 2;

/** Requests that arrive at the same time reach their write in different turns of the event loop. */
const BATCH_TURNS = 3;

/** Bytes in a batch, so that a large piece delays few others. */
const BATCH_SIZE = 1024 * 1024;

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
  const runEach = eachOutcome(runBatch);
  const late = latePieces(runEach, BATCH_SIZE);
  const group = createGroupCommit({
    run: (pieces: readonly Piece[]) => runEach(pieces, BATCH_LOCK_TIMEOUT_MS),
    maxInFlight: BATCHES_IN_FLIGHT,
    maxTurns: BATCH_TURNS,
    maxWeight: BATCH_SIZE,
    weigh: ({ size }) => size,
  });

  return {
    run: async (piece) => {
      const { kept, result } = keepingResult(piece);
      const outcome = late.isHeld(piece.business) ? "busy" : await group.commit(kept);
      const last = outcome === "busy" ? await late.run(kept) : outcome;
      const found = result();
      if (found === null) throw new TypeError("a piece was committed that has not run");
      return last === "repeated" && piece.whenRepeated !== undefined ? piece.whenRepeated(found.value) : found.value;
    },
    drain: async () => {
      await group.drain();
      await late.drain();
    },
  };
}

/** When a piece fails the batch, all are undone and run again in halves, until it fails alone. */
function eachOutcome(runBatch: RunBatch): RunEach {
  /** A duplicate is decided once more: what another business or process has written meanwhile is then seen. */
  async function outcomeAlone(piece: Piece, lockTimeoutMs: number): Promise<PromiseSettledResult<PieceOutcome>> {
    const run = async () => (await runBatch([piece], lockTimeoutMs))[0] ?? "busy";
    const [outcome] = await Promise.allSettled([run()]);
    return outcome;
  }

  const runEach: RunEach = async (pieces, lockTimeoutMs) => {
    try {
      const outcomes = await runBatch(pieces, lockTimeoutMs);
      return outcomes.map((value) => ({ status: "fulfilled", value }));
    } catch (error) {
      if (error instanceof StoreUnavailable && !isIdTaken(error)) throw error;
      const [only] = pieces;
      if (pieces.length === 1 && only !== undefined) {
        return isIdTaken(error) ? [await outcomeAlone(only, lockTimeoutMs)] : [{ status: "rejected", reason: error }];
      }
      const half = Math.ceil(pieces.length / 2);
      const first = await runEach(pieces.slice(0, half), lockTimeoutMs);
      return [...first, ...(await runEach(pieces.slice(half), lockTimeoutMs))];
    }
  };
  return runEach;
}
