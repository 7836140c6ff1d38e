import { isIdTaken, StoreUnavailable } from "@budgetkit/core/store";
import { createGroupCommit } from "@budgetkit/store-kit";
import { NotCommitted } from "../engine/failures.js";
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

interface QueueOptions {
  /** Whether the businesses of a batch may be on several nodes. Default false: what fails one fails all. */
  readonly mayFailInPart?: boolean;
}

/** Runs pieces of businesses, and resolves with their results after the commit. */
export interface CommitQueue {
  run<T>(piece: Piece<T>): Promise<T>;
  drain(): Promise<void>;
}

/**
 * Pieces that wait at the same time share one transaction. A business that another transaction holds delays only its own
 * pieces: they leave the batch and wait apart, until the first of them succeeds.
 */
export function commitQueue(runBatch: RunBatch, { mayFailInPart = false }: QueueOptions = {}): CommitQueue {
  const runEach = mayFailInPart ? eachBusiness(eachOutcome(runBatch)) : eachOutcome(runBatch);
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
      const runHalf = (some: readonly Piece[]) =>
        runEach(some, lockTimeoutMs).catch((reason: unknown) => some.map(() => rejected(reason)));
      const first = await runHalf(pieces.slice(0, half));
      return [...first, ...(await runHalf(pieces.slice(half)))];
    }
  };
  return runEach;
}

/** When the node of a business is away, each business of a batch runs by itself, so that the others are served. */
function eachBusiness(runEach: RunEach): RunEach {
  return async (pieces, lockTimeoutMs) => {
    try {
      return await runEach(pieces, lockTimeoutMs);
    } catch (error) {
      const businesses = new Set(pieces.map(({ business }) => business));
      if (!(error instanceof NotCommitted) || businesses.size === 1) throw error;
      const outcomes = new Map<Piece, PromiseSettledResult<PieceOutcome>>();
      const runOwn = async (business: number): Promise<void> => {
        const own = pieces.filter((piece) => piece.business === business);
        const ran = await runEach(own, lockTimeoutMs).catch((reason: unknown) => own.map(() => rejected(reason)));
        for (const [index, piece] of own.entries()) outcomes.set(piece, ran[index] ?? rejected(error));
      };
      await Promise.all([...businesses].map(runOwn));
      return pieces.map((piece) => outcomes.get(piece) ?? rejected(error));
    }
  };
}

function rejected(reason: unknown): PromiseRejectedResult {
  return { status: "rejected", reason };
}
