export const CONCURRENT = 50; // as many as there are connections in the benchmarks of servers

/** Work of which some pieces wait at the same time. A piece is false when it did not do what is measured. */
export function concurrently(work: () => Promise<boolean>): (count: number) => Promise<void> {
  return async (count) => {
    let left = count;
    const worker = async () => {
      while (left > 0) {
        left -= 1;
        if (!(await work())) throw new Error("what was to be measured was refused");
      }
    };
    await Promise.all(Array.from({ length: Math.min(CONCURRENT, count) }, worker));
  };
}
