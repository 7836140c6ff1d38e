/** Runs password hashes, a few at once. */
export interface HashQueue {
  /** For a network that has logged in to the account before: served first, with waiting room of its own. */
  runKnown<T>(hash: () => Promise<T>): Promise<T>;
  /** For all others, in the order of arrival. */
  run<T>(hash: () => Promise<T>): Promise<T>;
  /**
   * For an unknown account, whose hash only has to take time. A decoy waits as long as a call of `run` in its place, and
   * settles when the hash of the next such call has ended; decoys without one behind them share one hash. So decoys
   * delay no other call, however many there are.
   */
  decoy(hash: () => Promise<unknown>): Promise<void>;
}

export interface HashQueueLimits {
  readonly slots: number; // hashes at once
  readonly maxWaiting: number; // waiting calls of `run`, and as many of `runKnown`; decoys need no room
}

/** Called when the hash has ended that a decoy shares. */
type Rider = () => void;

interface Waiting {
  readonly isDecoy: boolean;
  readonly start: (riders: readonly Rider[]) => void;
  readonly ride: Rider;
}

/** Calls and decoys reject alike with the error of `refusal`, when `maxWaiting` calls of their kind wait. */
export function createHashQueue({ slots, maxWaiting }: HashQueueLimits, refusal: () => Error): HashQueue {
  const known: Waiting[] = [];
  const others: Waiting[] = [];
  let used = 0;

  /** The decoys at the head ride with the first call behind them, or with the last decoy. */
  function nextGroup(): readonly Waiting[] {
    if (known.length > 0) return known.splice(0, 1);
    const call = others.findIndex(({ isDecoy }) => !isDecoy);
    return others.splice(0, call < 0 ? others.length : call + 1);
  }

  function startNext(): void {
    if (used >= slots) return;
    const group = nextGroup();
    const leader = group.at(-1);
    if (leader === undefined) return;
    used += 1;
    leader.start(group.slice(0, -1).map(({ ride }) => ride));
  }

  /** Waits for a slot. null = a decoy whose shared hash has ended; it holds no slot. */
  function waitIn(queue: Waiting[], isDecoy: boolean): Promise<readonly Rider[] | null> {
    if (queue.filter((each) => !each.isDecoy).length >= maxWaiting) return Promise.reject(refusal());
    return new Promise((resolve) => {
      queue.push({ isDecoy, start: resolve, ride: () => resolve(null) });
      startNext();
    });
  }

  async function runInSlot<T>(hash: () => Promise<T>, riders: readonly Rider[]): Promise<T> {
    try {
      return await hash();
    } finally {
      used -= 1;
      for (const ride of riders) ride();
      startNext();
    }
  }

  return {
    runKnown: async (hash) => runInSlot(hash, (await waitIn(known, false)) ?? []),
    run: async (hash) => runInSlot(hash, (await waitIn(others, false)) ?? []),
    decoy: async (hash) => {
      const riders = await waitIn(others, true);
      if (riders !== null) await runInSlot(hash, riders);
    },
  };
}
