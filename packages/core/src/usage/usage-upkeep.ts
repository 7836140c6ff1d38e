import { DAY_MS, type Instant } from "../kernel/clock.js";
import { LONGEST_BY_MINUTE_MS, LONGEST_MS } from "./period.js";
import type { UsageContext } from "./usage-context.js";

/** Kept a day longer than any period reaches back, for clocks that do not agree. */
const MINUTES_KEPT_MS = LONGEST_BY_MINUTE_MS + DAY_MS;
const ROLL_UPS_KEPT_MS = LONGEST_MS + DAY_MS;

/** More than busy services add between two rounds of upkeep, and little enough not to hold up requests. */
const PRUNE_LIMIT = 2_000;

/** Writes what was recorded, and forgets what no period reaches any more. */
export async function keepUsageUp({ recorder, store }: Pick<UsageContext, "recorder" | "store">, now: Instant) {
  await recorder.flush();
  const before = now - ROLL_UPS_KEPT_MS;
  await store.pruneUsage(
    { minute: now - MINUTES_KEPT_MS, hour: before, day: before, "hour-total": before },
    PRUNE_LIMIT,
  );
}
