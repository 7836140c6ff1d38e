/** Runs until it has succeeded once, and gives what came of that. A failure is tried again by the next caller. */
export function once<T>(run: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | null = null;
  return () => {
    done ??= run().catch((error: unknown) => {
      done = null;
      throw error;
    });
    return done;
  };
}
