export type UsagePeriod = "24h" | "7d" | "30d" | "90d";

/** What the address of the screen says, read from text that may have been typed. */
export interface UsageSearch {
  readonly period?: UsagePeriod;
}

/** Thirty days stand in no address. */
export const DEFAULT_PERIOD = "30d";
export const USAGE_PERIODS: readonly UsagePeriod[] = ["24h", "7d", "30d", "90d"];

export function readUsageSearch({ period }: Record<string, unknown>): UsageSearch {
  const found = USAGE_PERIODS.find((each) => each === period);
  return found === undefined || found === DEFAULT_PERIOD ? {} : { period: found };
}
