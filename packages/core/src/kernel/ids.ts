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

/** The ids of a service. */
export interface ServiceIds extends IdSource {
  /**
   * Ids for a transaction of the host, which may hold what a reservation of the service's own would wait for: those of
   * the block at hand, else as many as are needed from `store`.
   */
  within(store: IdStore): IdSource;
}

/** The store's part: reserves `count` integers that nobody else will ever get and gives the first of them. */
export interface IdStore {
  /** Atomic over all processes; a block that was reserved and not used is never handed out again. */
  reserveIds(count: number): Promise<number>;
}

const BLOCK_SIZE = 1_000;

/** Draws ids from blocks of the store. Callers that wait for a block share one reservation. */
export function createIdSource(store: IdStore, blockSize: number = BLOCK_SIZE): ServiceIds {
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
    return draw(count);
  }

  function draw(count: number): string[] {
    const first = next;
    next += count;
    return idsFrom(first, count);
  }

  function within(host: IdStore): IdSource {
    const takeWithin = async (count: number): Promise<string[]> =>
      end - next >= count ? draw(count) : idsFrom(await host.reserveIds(count), count);
    return { take: takeWithin, next: async () => at(await takeWithin(1), 0) };
  }

  return {
    take,
    next: async () => {
      if (next < end) return String(next++);
      return at(await take(1), 0);
    },
    within,
  };
}

function idsFrom(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(first + index));
}

const INTEGER_ID = /^[1-9]\d{0,15}$/;

/** The integer of an id that this service assigned, or null when the text cannot be one ("abc", "007", "1e3"). */
export function parseId(text: string): number | null {
  if (!INTEGER_ID.test(text)) return null;
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : null;
}
