/** Makes a call about `key`. Rejects when it has not been answered by the deadline, a moment of `performance.now()`. */
export type BoundedCalls = <T>(key: string, deadline: number, call: () => Promise<T>) => Promise<T>;

/** How many calls that ran out of time may be unanswered. */
const MAX_UNANSWERED = 1_000;

/**
 * Bounds how long a call is waited for. While one that ran out of time is still unanswered, further ones about the same
 * key are refused without being made: a server that hangs would otherwise be left a queue, and charge all of it later.
 * While {@link MAX_UNANSWERED} are, those about any key are refused: there may be keys without end.
 */
export function createBoundedCalls(): BoundedCalls {
  const unanswered = new Map<string, number>();
  let unansweredCount = 0;

  function countUnanswered(key: string, change: 1 | -1): void {
    unansweredCount += change;
    const count = (unanswered.get(key) ?? 0) + change;
    if (count === 0) unanswered.delete(key);
    else unanswered.set(key, count);
  }

  return async (key, deadline, call) => {
    if (unanswered.has(key)) throw new Error("Redis has not answered an earlier call yet");
    if (unansweredCount >= MAX_UNANSWERED)
      throw new Error(`Redis has not answered ${unansweredCount} earlier calls yet`);
    return new Promise((resolve, reject) => {
      let isLate = false;
      const giveUp = () => {
        isLate = true;
        countUnanswered(key, 1);
        reject(new Error("Redis did not answer in time"));
      };
      // What a busy process has not read yet is read before the immediate: it was this process that was late then.
      let immediate: NodeJS.Immediate | undefined;
      const timer = setTimeout(() => {
        immediate = setImmediate(giveUp);
      }, deadline - performance.now());
      call()
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer);
          clearImmediate(immediate);
          if (isLate) countUnanswered(key, -1);
        });
    });
  };
}
