import { err, type Result } from "neverthrow";
import type { Problem } from "./problem.js";

/** An attempt that lost its compare-and-set to another writer returns this. */
export const STALE = "stale";

const ATTEMPTS = 10;

/**
 * Repeats a compare-and-set write: each attempt reads, decides and writes again. After `attempts` lost races the result
 * is the problem that `conflict` makes.
 */
export async function retryOnConflict<T>(
  attempt: () => Promise<Result<T, Problem> | typeof STALE>,
  conflict: () => Problem,
  attempts: number = ATTEMPTS,
): Promise<Result<T, Problem>> {
  for (let made = 0; made < attempts; made += 1) {
    const result = await attempt();
    if (result !== STALE) return result;
  }
  return err(conflict());
}

/** The problem of a caller whose attempts all lost. `subject` is a word for people: `"budget"`, `"key"`. */
export function keepsChanging(subject: string, id: string): Problem {
  return { kind: "conflict", message: `Others keep changing this ${subject}; try again.`, details: { id } };
}
