import { err, ok, type Result } from "neverthrow";
import { SECOND_MS } from "../kernel/clock.js";
import { createFairSemaphore } from "../kernel/fair-semaphore.js";
import { type Problem, unavailable } from "../kernel/problem.js";

/** The logo in the size that documents need; null = it cannot be read. Errors: unavailable under too much load. */
export type ReduceLogo = (businessId: string, logo: Uint8Array) => Promise<Result<Uint8Array | null, Problem>>;

/** One at a time in a process: an image may occupy a core for seconds. */
const LIMITS = { slots: 1, slotsPerKey: 1, maxWaiting: 50, timeoutMs: 15 * SECOND_MS };
const RETRY_SECONDS = 15;

class ReductionOverload extends Error {}

/** `reduce` of the host's renderer of documents; undefined = logos stay as they are. Businesses take turns. */
export function createLogoReduction(
  reduce: ((logo: Uint8Array) => Promise<Uint8Array | null>) | undefined,
): ReduceLogo {
  if (reduce === undefined) return async (_, logo) => ok(logo);
  const runInSlot = createFairSemaphore(LIMITS, (reason) => new ReductionOverload(reason));
  return async (businessId, logo) => {
    try {
      return ok(await runInSlot(businessId, () => reduce(logo)));
    } catch (error) {
      if (error instanceof ReductionOverload) return err(unavailable(RETRY_SECONDS));
      throw error;
    }
  };
}
