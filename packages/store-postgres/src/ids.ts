import { type IdStore, parseId, StoreUnavailable } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import { asInteger } from "./rows.js";

/** Ids begin at 1, so that this one is nobody's. */
const NO_ID = 0;

/** The stored form of an id to look for. A text that cannot be an id gives one that nothing has. */
export function idToFind(text: string): number {
  return parseId(text) ?? NO_ID;
}

/** The stored form of an id to write. Throws a RangeError for a text that cannot be one. */
export function idToWrite(text: string): number {
  const id = parseId(text);
  if (id === null) throw new RangeError(`not an id: ${JSON.stringify(text)}`);
  return id;
}

/**
 * PostgreSQL's text holds every character but NUL, which no text of this service has. What is looked for with one in it
 * is looked for as a text that nothing has.
 */
export function textToFind(text: string): string {
  return text.includes("\0") ? "\u{10FFFF}" : text;
}

/** A block that is reserved and then lost with its connection is never handed out, so that asking again is safe. */
export function postgresIds(connection: Connection): IdStore {
  const advance = connection.value("UPDATE @ids SET next = next + $1 RETURNING next");

  return {
    reserveIds: async (count) => asInteger(await advance(count)) - count,
  };
}

const BLOCK_SIZE = 1_000;

/** How long a host's transaction waits for ids, which come over a connection of the pool that it may have emptied itself. */
const PATIENCE_MS = 5_000;

/**
 * Ids for hosts' transactions: drawn outside of them, so that nobody waits for their end, and in blocks that all of them
 * share. Rejects with StoreUnavailable when the pool has no connection for too long.
 */
export function idsForHosts(outside: IdStore): IdStore {
  let next = 0;
  let end = 0;
  let refill: Promise<void> | null = null;

  async function reserve(size: number): Promise<void> {
    const first = await inTime(outside.reserveIds(size));
    next = first;
    end = first + size;
  }

  return {
    reserveIds: async (count) => {
      while (end - next < count) {
        refill ??= reserve(Math.max(BLOCK_SIZE, count)).finally(() => {
          refill = null;
        });
        await refill;
      }
      next += count;
      return next - count;
    },
  };
}

function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new StoreUnavailable("no connection is left beside those of the open transactions"));
    const timer = setTimeout(giveUp, PATIENCE_MS);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
