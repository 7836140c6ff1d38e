import type { Result } from "neverthrow";
import { SECOND_MS } from "../kernel/clock.js";
import { type Problem, StoreUnavailable } from "../kernel/problem.js";
import type { EventBatch } from "./read-events.js";

/** Why events cannot be followed further: the `problem` of `service.events.read`. */
export class EventsRefused extends Error {
  override readonly name = "EventsRefused";
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** The consumers of this process that wait for events. */
export interface EventFollowers {
  /** Yields what `read` returns after the cursor, then waits for more, until `signal` aborts or {@link EventFollowers.stop}. */
  follow(after: number, read: ReadAfter, signal?: AbortSignal): AsyncGenerator<EventBatch, void, undefined>;
  /** Events may have been committed. */
  wake(): void;
  /** Ends every consumer, after the batch that it has. */
  stop(): void;
}

type ReadAfter = (after: number) => Promise<Result<EventBatch, Problem>>;

/** Finds what other processes committed, where the store does not report it. */
const POLL_MS = 2 * SECOND_MS;

interface FollowersContext {
  readonly store: { onWork?(listener: () => void): () => void };
  readonly onError: (error: unknown) => void;
}

export function createEventFollowers({ store, onError }: FollowersContext): EventFollowers {
  const waiting = new Set<() => void>();
  let following = 0;
  let stopListening: (() => void) | undefined;
  let stopping = new AbortController();

  function wake(): void {
    for (const resume of waiting) resume();
  }

  async function* follow(
    from: number,
    read: ReadAfter,
    signal?: AbortSignal,
  ): AsyncGenerator<EventBatch, void, undefined> {
    const left = new AbortController();
    const end = AbortSignal.any([left.signal, stopping.signal, ...(signal === undefined ? [] : [signal])]);
    following += 1;
    stopListening ??= store.onWork?.(wake);
    try {
      for (let after = from; !end.aborted; ) {
        const { woken, resume } = nextWake(waiting, end); // before the read, so that no commit after it is missed
        const batch = await readOrWait(read, after, onError);
        if (batch !== null && batch.cursor > after && !end.aborted) {
          yield batch;
          after = batch.cursor;
        }
        if (batch?.hasMore) resume(); // else the waits of a long backlog pile up
        await woken;
      }
    } finally {
      left.abort();
      following -= 1;
      if (following === 0) {
        stopListening?.();
        stopListening = undefined;
      }
    }
  }

  return {
    follow,
    wake,
    stop: () => {
      stopping.abort();
      stopping = new AbortController();
    },
  };
}

/** Resolves when woken through `waiting`, when `end` aborts, after a while, and by `resume`. */
function nextWake(waiting: Set<() => void>, end: AbortSignal): { readonly woken: Promise<void>; resume(): void } {
  let resume = (): void => {};
  const woken = new Promise<void>((resolve) => {
    resume = () => {
      clearTimeout(timer);
      waiting.delete(resume);
      end.removeEventListener("abort", resume);
      resolve();
    };
    const timer = setTimeout(resume, POLL_MS);
    waiting.add(resume);
    end.addEventListener("abort", resume);
    if (end.aborted) resume();
  });
  return { woken, resume };
}

/** Null = the store cannot serve at the moment. */
async function readOrWait(
  read: ReadAfter,
  after: number,
  onError: (error: unknown) => void,
): Promise<EventBatch | null> {
  try {
    const batch = await read(after);
    if (batch.isErr()) throw new EventsRefused(batch.error);
    return batch.value;
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    onError(error);
    return null;
  }
}
