import type { RepeatableTransactions } from "../engine/repeatable-transactions.js";
import { type KnownTotals, knownTotals } from "./known-totals.js";
import type { Opener } from "./open-business.js";
import { type Piece, runPieces } from "./run-pieces.js";
import { isUnexpected } from "./totals.js";

/**
 * What has become of a piece. Repeated: committed too, but the first attempt was lost, so that it may be older. Busy: the
 * batch left it out, since another transaction holds its business, or too many of its pieces run one after the other.
 */
export type PieceOutcome = "committed" | "repeated" | "busy";

/** Runs pieces in one transaction. When it rejects, none of them was written, or that is unknown (StoreUnavailable). */
export type RunBatch = (pieces: readonly Piece[], lockTimeoutMs: number) => Promise<readonly PieceOutcome[]>;

type Taken = ReadonlyMap<number, ReturnType<KnownTotals["take"]>>;

/**
 * A batch is one round trip where its totals are known and its pieces read nothing else, as new budgets do. Otherwise it is
 * two where no piece of a business touches the records of another: what locks and reads, then what writes and commits.
 */
export function batchRunner(inTransaction: RepeatableTransactions, open: Opener): RunBatch {
  const known = knownTotals();

  function run(groups: Groups, taken: Taken, locks: { readonly timeoutMs: number; readonly isRequired: boolean }) {
    const businesses = [...groups.keys()];
    return inTransaction({ businesses, ...locks }, async (statements, busy) => {
      const opened = [...groups].map(([business, pieces]) => {
        const expected = locks.isRequired ? (taken.get(business)?.totals ?? null) : null;
        return { open: open(business, statements, expected), pieces };
      });
      const isHeld = (business: number) => {
        const held = busy.then((others) => !others.has(business));
        held.catch(() => {}); // the pieces fail with it
        return held;
      };
      const ran = await allEnded(opened.map(({ open, pieces }) => runPieces(open, pieces, isHeld(open.business))));
      const left = await busy;
      for (const { open } of opened) {
        if (!left.has(open.business)) known.keep(open.business, taken.get(open.business) ?? null, open);
      }
      return { opened, done: new Set(opened.flatMap(({ pieces }, index) => pieces.slice(0, ran[index]))) };
    });
  }

  return async (pieces, timeoutMs) => {
    const groups = groupedByBusiness(pieces);
    const businesses = [...groups.keys()];
    const taken: Taken = new Map(businesses.map((business) => [business, known.take(business)]));
    const isExpecting = businesses.every((business) => taken.get(business)?.isAlone === true);
    const locks = isExpecting ? { timeoutMs: 0, isRequired: true } : { timeoutMs, isRequired: false };
    try {
      const { result, isRepeated } = await run(groups, taken, locks).catch((error: unknown) => {
        if (isExpecting && isUnexpected(error)) return run(groups, new Map(), { timeoutMs, isRequired: false });
        throw error;
      });
      const committed = isRepeated ? "repeated" : "committed";
      for (const { open } of result.opened) known.noteDispatched(open.business, open.dispatchedBytes);
      return pieces.map((piece) => (result.done.has(piece) ? committed : "busy"));
    } catch (error) {
      known.forget(businesses);
      throw error;
    }
  };
}

/** The results, once all have ended: none of them is left running when one has failed. */
async function allEnded<T>(works: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}

type Groups = ReadonlyMap<number, readonly Piece[]>;

/** In ascending order of the businesses. */
function groupedByBusiness(pieces: readonly Piece[]): Groups {
  const groups = new Map<number, Piece[]>();
  for (const piece of pieces) {
    const group = groups.get(piece.business) ?? [];
    groups.set(piece.business, group);
    group.push(piece);
  }
  return new Map([...groups].sort(([one], [other]) => one - other));
}
