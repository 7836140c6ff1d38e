import type { Footprint } from "./footprint.js";
import type { OpenBusiness } from "./open-business.js";

/** A piece of work on one business, as part of a transaction that holds the lock of the business. */
export interface Piece<T = void> {
  readonly business: number;
  readonly footprint: Footprint;
  readonly size: number; // about the bytes that it sends
  /**
   * Reads. The function that it resolves to decides and writes, and runs in the order of the pieces. It may run again in
   * another transaction, so that its result depends only on its input and the rows.
   */
  inspect(open: OpenBusiness): Promise<() => T | Promise<T>>;
  /** The result of a piece that was sent again after its first attempt was lost. Default: the same. */
  readonly whenRepeated?: (result: T) => T;
}

/**
 * Runs the pieces of a business in their order. Those that follow each other with disjoint footprints read at the same time,
 * in one round trip. Others need more: after some of them, the rest is left out, so that one business delays no others for
 * long. `isHeld`: whether the transaction holds the lock; otherwise nothing is written. Returns how many pieces have run.
 */
export async function runPieces(
  open: OpenBusiness,
  pieces: readonly Piece[],
  isHeld: Promise<boolean>,
): Promise<number> {
  let ran = 0;
  for (const wave of wavesOf(pieces).slice(0, MAX_WAVES)) {
    const decisions = await Promise.all(wave.map((piece) => piece.inspect(open)));
    if (!(await isHeld)) return 0;
    for (const decide of decisions) await decide();
    open.settle();
    ran += wave.length;
  }
  return ran;
}

const MAX_WAVES = 32;

function wavesOf(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const waves: Piece[][] = [];
  let used: Set<string> | null = null; // null = the next piece begins another wave
  for (const piece of pieces) {
    const names: Footprint = piece.footprint;
    if (used === null || names === "all" || areShared(used, names)) {
      waves.push([piece]);
      used = names === "all" ? null : new Set(names);
    } else {
      waves.at(-1)?.push(piece);
      for (const name of names) used.add(name);
    }
  }
  return waves;
}

function areShared(used: ReadonlySet<string>, names: ReadonlySet<string>): boolean {
  for (const name of names) if (used.has(name)) return true;
  return false;
}

/** A piece that keeps the result of its last run. */
export function keepingResult<T>(piece: Piece<T>): { readonly kept: Piece; result(): { readonly value: T } | null } {
  let last: { readonly value: T } | null = null;
  const { business, footprint, size } = piece;
  const kept: Piece = {
    business,
    footprint,
    size,
    inspect: async (open) => {
      const decide = await piece.inspect(open);
      return async () => {
        last = { value: await decide() };
      };
    },
  };
  return { kept, result: () => last };
}
