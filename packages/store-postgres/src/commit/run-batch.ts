import type { RepeatableTransactions } from "../engine/repeatable-transactions.js";
import type { Opener } from "./open-business.js";
import { type Piece, runPieces } from "./run-pieces.js";

/** What has become of a piece. Busy: another transaction holds its business, and the batch left it out. */
export type PieceOutcome = "committed" | "busy";

/** Runs pieces in one transaction. When it rejects, none of them was written, or that is unknown (StoreUnavailable). */
export type RunBatch = (pieces: readonly Piece[], lockTimeoutMs: number) => Promise<readonly PieceOutcome[]>;

/**
 * A batch is two round trips where no piece of a business touches the records of another: what locks and reads, then what
 * writes and commits.
 */
export function batchRunner(inTransaction: RepeatableTransactions, open: Opener): RunBatch {
  return (pieces, timeoutMs) => {
    const groups = groupedByBusiness(pieces);
    const businesses = groups.map(([business]) => business);
    return inTransaction({ businesses, timeoutMs }, async (statements, busy) => {
      const work = groups.map(([business, ofBusiness]) => {
        const isHeld = busy.then((others) => !others.has(business));
        isHeld.catch(() => {}); // the pieces fail with it
        return runPieces(open(business, statements), ofBusiness, isHeld);
      });
      await Promise.all(work);
      const left = await busy;
      return pieces.map(({ business }) => (left.has(business) ? "busy" : "committed"));
    });
  };
}

/** In ascending order of the businesses. */
function groupedByBusiness(
  pieces: readonly Piece[],
): readonly (readonly [business: number, pieces: readonly Piece[]])[] {
  const groups = new Map<number, Piece[]>();
  for (const piece of pieces) {
    const group = groups.get(piece.business) ?? [];
    groups.set(piece.business, group);
    group.push(piece);
  }
  return [...groups].sort(([one], [other]) => one - other);
}
