import { at } from "./at.js";

/**
 * Identifiers are integers below 2^53 from one space, written as decimal strings. A store hands them out in blocks,
 * so that a create needs no round trip of its own to get one.
 */
export interface IdSource {
  next(): Promise<string>;
  /** `count` identifiers in ascending order. */
  take(count: number): Promise<string[]>;
}

/** The store's part: reserves `count` integers that nobody else will ever get and gives the first of them. */
export interface IdStore {
  /** Atomic over all processes; a block that was reserved and not used is never handed out again. */
  reserveIds(count: number): Promise<number>;
}

const BLOCK_SIZE = 1_000;

/** Draws ids from blocks of the store. Callers that wait for a block share one reservation. */
export function createIdSource(store: IdStore, blockSize: number = BLOCK_SIZE): IdSource {
  let next = 0;
  let end = 0;
  let refill: Promise<void> | null = null;

  async function reserve(count: number): Promise<void> {
    const first = await store.reserveIds(count);
    next = first;
    end = first + count;
  }

  async function take(count: number): Promise<string[]> {
    while (end - next < count) {
      refill ??= reserve(Math.max(blockSize, count)).finally(() => {
        refill = null;
      });
      await refill;
    }
    const first = next;
    next += count;
    return Array.from({ length: count }, (_, index) => String(first + index));
  }

  return {
    take,
    next: async () => {
      if (next < end) return String(next++);
      return at(await take(1), 0);
    },
  };
}

const INTEGER_ID = /^[1-9]\d{0,15}$/;

/** The integer of an id that this service assigned, or null when the text cannot be one ("abc", "007", "1e3"). */
export function parseId(text: string): number | null {
  if (!INTEGER_ID.test(text)) return null;
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : null;
}
