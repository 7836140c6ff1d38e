import { createFairSemaphore, type SemaphoreLimits, StoreUnavailable } from "@budgetkit/core/store";
import { createGroupCommit, type GroupCommit } from "@budgetkit/store-kit";
import type { PieceOutcome } from "./run-batch.js";
import type { Piece } from "./run-pieces.js";

/** How long a piece waits that a batch has left out. */
export const PIECE_TIMEOUT_MS = 5_000;

/** Pieces that were left out use few connections: one a business, and each for one lock timeout at a time. */
const APART: SemaphoreLimits = {
  slots: 3,
  slotsPerKey: 1,
  maxWaiting: Number.POSITIVE_INFINITY,
  timeoutMs: PIECE_TIMEOUT_MS,
};
const LOCK_TIMEOUT_MS = 250;

/** The outcome of each piece, in their order. */
export type RunEach = (
  pieces: readonly Piece[],
  lockTimeoutMs: number,
) => Promise<readonly PromiseSettledResult<PieceOutcome>[]>;

/** Pieces of businesses that another transaction holds. */
export interface LatePieces {
  /** Whether pieces of the business wait. */
  isHeld(business: number): boolean;
  run(piece: Piece): Promise<PieceOutcome>;
  drain(): Promise<void>;
}

/** A piece that a batch has left out. */
interface Late {
  readonly piece: Piece;
  readonly givesUpAt: number; // of performance.now()
}

/** Runs the pieces of a business together, as soon as it is free. Each waits until its own timeout. */
export function latePieces(runEach: RunEach, maxSize: number): LatePieces {
  const held = new Map<number, GroupCommit<Late, PieceOutcome>>();
  const waiting = new Set<Promise<unknown>>();
  const runFairly = createFairSemaphore(APART, (reason) => new StoreUnavailable(reason));

  async function runApart(business: number, all: readonly Late[]) {
    const outcomes = new Map<Late, PromiseSettledResult<PieceOutcome>>();
    let left = inTime(all);
    try {
      for (; left.length > 0; left = inTime(left)) {
        const pieces = left.map(({ piece }) => piece);
        const ran = await runFairly(business, () => runEach(pieces, LOCK_TIMEOUT_MS));
        for (const [index, each] of left.entries()) {
          const outcome = ran[index];
          const isBusy = outcome?.status === "fulfilled" && outcome.value === "busy";
          if (outcome !== undefined && !isBusy) outcomes.set(each, outcome);
        }
        left = left.filter((each) => !outcomes.has(each));
      }
    } catch (reason) {
      if (outcomes.size === 0) throw reason;
      for (const each of left) outcomes.set(each, { status: "rejected", reason }); // the others have ended
    } finally {
      held.delete(business);
    }
    return all.map((each) => outcomes.get(each) ?? ({ status: "rejected", reason: heldForTooLong() } as const));
  }

  return {
    isHeld: (business) => held.has(business),
    run: (piece) => {
      const { business } = piece;
      const run = (all: readonly Late[]) => runApart(business, all);
      const apart =
        held.get(business) ?? createGroupCommit({ run, maxWeight: maxSize, weigh: (each: Late) => each.piece.size });
      held.set(business, apart);
      const committed = apart.commit({ piece, givesUpAt: performance.now() + PIECE_TIMEOUT_MS });
      const ended = committed.then(ignore, ignore).finally(() => waiting.delete(ended));
      waiting.add(ended);
      return committed;
    },
    drain: async () => {
      await Promise.all(waiting);
    },
  };
}

export function heldForTooLong(): StoreUnavailable {
  return new StoreUnavailable("another transaction holds the business for too long");
}

function inTime(all: readonly Late[]): readonly Late[] {
  const now = performance.now();
  return all.filter(({ givesUpAt }) => now < givesUpAt);
}

function ignore(): void {}
