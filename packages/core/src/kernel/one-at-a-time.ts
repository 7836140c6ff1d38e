/** Runs `work` once the earlier calls with the same key have settled. Calls with other keys do not wait for it. */
export type RunOneAtATime = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** A key takes memory only while a call of it has not settled. */
export function createOneAtATime(): RunOneAtATime {
  const ends = new Map<string, Promise<void>>(); // of the latest call with each key
  return async (key, work) => {
    const before = ends.get(key);
    let finish = (): void => {};
    const end = new Promise<void>((resolve) => {
      finish = resolve;
    });
    ends.set(key, end);
    await before;
    try {
      return await work();
    } finally {
      if (ends.get(key) === end) ends.delete(key);
      finish();
    }
  };
}
