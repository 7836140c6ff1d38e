/** Rejects a hashing that would have to wait too long: a login is answered 503 then. */
export class HasherOverloaded extends Error {
  override readonly name = "HasherOverloaded";
}

/** By name: a hasher may carry a copy of the class from the other module format. */
export function isHasherOverloaded(error: unknown): boolean {
  return error instanceof Error && error.name === "HasherOverloaded";
}

const MAX_WAITING = 64;

/**
 * Runs at most `concurrency` hashings at once, the others in the order in which they came. At most 64 wait; those
 * beyond are rejected with {@link HasherOverloaded}. Throws a RangeError unless `concurrency` is a whole number from 1.
 */
export function createHashingQueue(concurrency: number): <T>(hashing: () => Promise<T>) => Promise<T> {
  if (!Number.isInteger(concurrency) || concurrency < 1) throw new RangeError("concurrency is a whole number from 1");
  const waiting: (() => void)[] = [];
  let running = 0;

  /** Resolves with a place taken: a free one, or the one that a hashing hands over when it is done. */
  async function takePlace(): Promise<void> {
    if (running < concurrency) {
      running += 1;
      return;
    }
    if (waiting.length >= MAX_WAITING) throw new HasherOverloaded("too many passwords are being hashed");
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
  }

  function leavePlace(): void {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }

  return async (hashing) => {
    await takePlace();
    try {
      return await hashing();
    } finally {
      leavePlace();
    }
  };
}
