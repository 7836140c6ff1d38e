import type { Totals } from "./totals.js";

/** Totals as this process has left them. */
interface Known {
  readonly totals: Totals;
  readonly isAlone: boolean; // nobody else seems to write to the business
}

/** What a transaction has made of the totals of a business. */
interface Left {
  readonly before: Totals | null; // null = it has not read them
  readonly after: Totals | null; // null = not known
  readonly isTouched: boolean;
}

/**
 * The totals of businesses that this process has written to. Where nobody else writes, the next commit expects them, and needs
 * no round trip to read them. Other processes are noticed by a read that finds others, and by a transaction that fails.
 */
export interface KnownTotals {
  /** What is known; null = nothing. Nobody else gets it until it is kept again. */
  take(business: number): Known | null;
  /** `former`: what was taken. */
  keep(business: number, former: Known | null, left: Left): void;
  /** What the dispatcher has counted, as a commit has found it. */
  noteDispatched(business: number, bytes: number | null): void;
  forget(businesses: readonly number[]): void;
}

const MAX_BUSINESSES = 1_000;

export function knownTotals(): KnownTotals {
  const known = new Map<number, Known>();
  return {
    take: (business) => {
      const found = known.get(business) ?? null;
      known.delete(business);
      return found;
    },
    keep: (business, former, { before, after, isTouched }) => {
      const isAlone = former !== null && (before === null ? former.isAlone : isSame(former.totals, before));
      if (after !== null) known.set(business, { totals: after, isAlone });
      else if (former !== null && !isTouched) known.set(business, former);
      const [oldest] = known.keys();
      if (known.size > MAX_BUSINESSES && oldest !== undefined) known.delete(oldest);
    },
    noteDispatched: (business, bytes) => {
      const found = known.get(business);
      if (found === undefined || bytes === null) return;
      known.set(business, { ...found, totals: { ...found.totals, dispatchedBytes: bytes } });
    },
    forget: (businesses) => {
      for (const business of businesses) known.delete(business);
    },
  };
}

function isSame(one: Totals, other: Totals): boolean {
  const textOf = ({ head, counted, subscribers }: Totals) => JSON.stringify([head, counted, subscribers]);
  return textOf(one) === textOf(other);
}
