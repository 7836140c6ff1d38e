import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";

/** The documents of a business have the same logo. Each is at most half a megabyte. */
const MAX_RECENT = 32;

/** `onUnreadable` is called for a logo that cannot be read, and not again while it is kept. */
export type PrintLogo = (bytes: Uint8Array | null, onUnreadable?: () => void) => Promise<Buffer | null>;

/**
 * Keeps the logos that were reduced last, by their content: each is decoded once for all documents, also while several
 * are made. One is decoded at a time: a large one needs hundreds of megabytes. null = none, or one that cannot be read.
 */
export function createPrintLogos(reduce: (bytes: Uint8Array) => Promise<Buffer | null>): PrintLogo {
  const recent = new LRUCache<string, Promise<Buffer | null>>({ max: MAX_RECENT });
  let last: Promise<unknown> = Promise.resolve();

  function reduceInTurn(bytes: Uint8Array, onUnreadable: () => void): Promise<Buffer | null> {
    const turn = last.then(() => reduce(bytes));
    last = turn.then((logo) => logo ?? onUnreadable(), ignore);
    return turn;
  }

  return (bytes, onUnreadable = ignore) => {
    if (bytes === null) return Promise.resolve(null);
    const key = createHash("sha256").update(bytes).digest("hex");
    const known = recent.get(key);
    if (known !== undefined) return known;
    const logo = reduceInTurn(bytes, onUnreadable);
    recent.set(key, logo);
    logo.catch(() => recent.delete(key));
    return logo;
  };
}

function ignore(): void {}
