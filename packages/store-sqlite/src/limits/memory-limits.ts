import { type Admission, createMemoryRateLimitStore, type RateLimitStore } from "@budgetkit/core/store";
import { createGroupCommit } from "@budgetkit/store-kit";
import type { LimitFile } from "./limit-file.js";

/**
 * The limiter in memory, beside a database of SQLite. The requests of one turn of the event loop are decided together, so
 * that they go on together: then what they read shares a snapshot, and their answers wake the caller once. Decided one by
 * one, a GET takes more than twice the CPU.
 */
export function memoryLimits(): LimitFile {
  const limits = createMemoryRateLimitStore();
  const turns = createGroupCommit<Parameters<RateLimitStore["consume"]>, Admission>({
    run: (requests) => Promise.allSettled(requests.map((request) => limits.consume(...request))),
  });
  return {
    ...limits,
    consume: (...request) => turns.commit(request),
    open: () => {},
    probe: async () => {},
    close: () => turns.drain(),
  };
}
