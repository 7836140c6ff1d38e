import { DAY_MS, type Instant } from "../kernel/clock.js";
import { LONGEST_BY_MINUTE_MS, LONGEST_MS } from "./period.js";
import type { UsageContext } from "./statistics.js";

/** Retention: a day longer than the longest period, for clocks that differ. */
const MINUTE_RETENTION_MS = LONGEST_BY_MINUTE_MS + DAY_MS;
const ROLL_UP_RETENTION_MS = LONGEST_MS + DAY_MS;

/** Rows per grain and round: more than a busy service adds between two rounds, and few enough not to delay requests. */
const PRUNE_LIMIT = 2_000;

/** Writes the recorded counts and removes rows older than every period. */
export async function maintainUsage({ recorder, store }: Pick<UsageContext, "recorder" | "store">, now: Instant) {
  await recorder.flush();
  const before = now - ROLL_UP_RETENTION_MS;
  await store.pruneUsage(
    { minute: now - MINUTE_RETENTION_MS, hour: before, day: before, "hour-total": before },
    PRUNE_LIMIT,
  );
}
