import { LRUCache } from "lru-cache";
import { at } from "./arrays.js";
import { isIdTaken } from "./problem.js";

/**
 * Identifiers are integers below 2^53, written as decimal strings and unique in the whole store. Each business draws its
 * own from a range that belongs to it alone, so its ids ascend and show nothing of the activity of others. The store
 * reserves them in blocks, so that most creations need no extra round trip.
 */
export interface IdSource {
  next(businessId: string): Promise<string>;
  /** `count` identifiers in ascending order. */
  take(businessId: string, count: number): Promise<string[]>;
}

/** The ids of a service. */
export interface ServiceIds extends IdSource {
  /**
   * Ids for a transaction of the host. They come from the current block, else from `store`: the host's transaction may
   * hold a lock that a reservation on another connection would wait for.
   */
  within(store: IdStore): IdSource;
  /** Draws no more from the current blocks: the store may have lost their reservations. The next blocks begin above them. */
  dropBlocks(): void;
}

export interface IdStore {
  /**
   * Reserves `count` integers (fewer than a range has) in the range of the business and returns the first. A business gets a
   * range with its first reservation, and the next free one when a range is used up. Atomic across processes; no integer
   * is reserved twice, neither for one business nor for two. Rejects when no range below 2^53 is left.
   *
   * `above`: the highest id that the caller has reserved for the business; 0 = none. The new ones are higher, even where
   * the store has lost that reservation.
   */
  reserveIds(businessId: string, count: number, above?: number): Promise<number>;
}

/** How many ids a range has. Range n begins at n × this size; range 0 holds the ids that have no range. */
export const ID_RANGE_SIZE = 1_000_000_000;

/** The last range whose ids are all below 2^53. */
export const LAST_ID_RANGE = Math.floor(Number.MAX_SAFE_INTEGER / ID_RANGE_SIZE) - 1;

interface IdRange {
  readonly first: number;
  readonly end: number; // exclusive
}

/** The ids of a range. Throws a RangeError above {@link LAST_ID_RANGE}. */
export function idRange(number: number): IdRange {
  if (number > LAST_ID_RANGE) throw new RangeError(`no range of ids is left: the last one is ${LAST_ID_RANGE}`);
  return { first: number * ID_RANGE_SIZE + 1, end: (number + 1) * ID_RANGE_SIZE };
}

/**
 * The ids to reserve above one that is known, in the range of a business: the first, or null where the range has too few.
 * A range that was lost may be higher than the stored one: the business then needs another.
 */
export function firstInRange(
  range: { readonly next: number; readonly end: number },
  count: number,
  above: number,
): number | null {
  const first = Math.max(range.next, above + 1);
  return first + count <= range.end ? first : null;
}

/** The number of the next range, when `above` is known to be used. */
export function nextRangeNumber(stored: number, above: number): number {
  return Math.max(stored, Math.floor(above / ID_RANGE_SIZE) + 1);
}

/** The sizes of blocks. The first is small, since most businesses create little before the process ends. */
interface BlockSizes {
  readonly first: number;
  readonly largest: number; // each block is twice as large as the one before, up to this size
  readonly businesses: number; // blocks kept; the block that was unused longest is dropped
}

const BLOCK_SIZES: BlockSizes = { first: 64, largest: 8_192, businesses: 10_000 };

/** The reserved ids of a business: from `next` to before `end`. */
interface Block {
  next: number;
  end: number;
  size: number; // of the next reservation
  highest: number; // id that was reserved; 0 = none
  refill: Promise<void> | null;
}

/** Takes ids from blocks of the store. Callers that wait for a block share one reservation. */
export function createIdSource(store: IdStore, sizes: BlockSizes = BLOCK_SIZES): ServiceIds {
  const blocks = new LRUCache<string, Block>({ max: sizes.businesses });

  function blockOf(businessId: string): Block {
    const known = blocks.get(businessId);
    if (known !== undefined) return known;
    const block: Block = { next: 0, end: 0, size: sizes.first, highest: 0, refill: null };
    blocks.set(businessId, block);
    return block;
  }

  async function reserve(businessId: string, block: Block, count: number): Promise<void> {
    const size = Math.max(block.size, count);
    block.next = await store.reserveIds(businessId, size, block.highest);
    block.end = block.next + size;
    block.highest = block.end - 1;
    block.size = Math.min(block.size * 2, sizes.largest);
  }

  async function take(businessId: string, count: number): Promise<string[]> {
    const block = blockOf(businessId);
    while (block.end - block.next < count) {
      block.refill ??= reserve(businessId, block, count).finally(() => {
        block.refill = null;
      });
      await block.refill;
    }
    return draw(block, count);
  }

  function within(host: IdStore): IdSource {
    const takeWithin = async (businessId: string, count: number): Promise<string[]> => {
      const block = blockOf(businessId);
      if (block.end - block.next >= count) return draw(block, count);
      return idsFrom(await host.reserveIds(businessId, count), count);
    };
    return { take: takeWithin, next: async (businessId) => at(await takeWithin(businessId, 1), 0) };
  }

  function dropBlocks(): void {
    for (const block of blocks.values()) block.end = block.next;
  }

  return { take, next: async (businessId) => at(await take(businessId, 1), 0), within, dropBlocks };
}

const MOST_RUNS = 3;

/** Runs an operation again, with ids of other blocks, when one of its ids was taken. Input of the operation is not consumed. */
export async function withOtherIds<T>(dropBlocks: () => void, run: () => Promise<T>): Promise<T> {
  for (let runs = 1; ; runs += 1) {
    try {
      return await run();
    } catch (error) {
      if (runs === MOST_RUNS || !isIdTaken(error)) throw error;
      dropBlocks();
    }
  }
}

function draw(block: Block, count: number): string[] {
  const first = block.next;
  block.next += count;
  return idsFrom(first, count);
}

function idsFrom(first: number, count: number): string[] {
  const ids: string[] = [];
  for (let id = first; id < first + count; id += 1) ids.push(String(id));
  return ids;
}

const INTEGER_ID = /^[1-9]\d{0,15}$/;

/** The integer of an id that this service assigned; null when the text cannot be one ("abc", "007", "1e3"). */
export function parseId(text: string): number | null {
  if (!INTEGER_ID.test(text)) return null;
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : null;
}
