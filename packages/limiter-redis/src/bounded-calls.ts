/** Makes a call for `key`. Rejects when no reply has come by `deadline`, a time of `performance.now()`. */
export type BoundedCalls = <T>(key: string, deadline: number, call: () => Promise<T>) => Promise<T>;

/** How many calls may be past their deadline and still without a reply. */
const MAX_UNANSWERED = 1_000;

/**
 * Bounds the wait for a call. While a call is past its deadline without a reply, later calls for its key are refused and
 * not sent: a server that hangs would otherwise charge the whole queue later. At {@link MAX_UNANSWERED} such calls, calls
 * for every key are refused, because the number of keys is unbounded.
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
      const expire = () => {
        isLate = true;
        countUnanswered(key, 1);
        reject(new Error("Redis did not answer in time"));
      };
      // A busy process reads waiting replies before the immediate runs, so its own delay does not count as Redis's.
      let immediate: NodeJS.Immediate | undefined;
      const timer = setTimeout(() => {
        immediate = setImmediate(expire);
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
