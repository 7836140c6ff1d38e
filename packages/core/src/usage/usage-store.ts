import type { Instant } from "../kernel/clock.js";
import type { UsageCounts, UsageGrain, UsageRow } from "./usage.js";

/** The store's port for usage statistics. Each method is atomic. */
export interface UsageStore {
  /**
   * Adds the counts of each row to the stored row of the same name; all rows, or none when it rejects. Concurrent callers
   * in any process lose no counts. Rows may belong to several businesses.
   */
  addUsage(rows: readonly UsageRow[]): Promise<void>;

  /**
   * The sums of the rows that begin within the slices, of one key or (null) of the whole business, from one snapshot.
   * The database computes the sums, because three months of many routes are thousands of rows.
   */
  sumUsage(businessId: string, keyId: string | null, slices: readonly UsageSlice[]): Promise<UsageSums>;

  /** Removes rows older than their grain's limit, of all businesses, at most `limit` per grain. Returns their number. */
  pruneUsage(before: Readonly<Record<UsageGrain, Instant>>, limit: number): Promise<number>;
}

/** A time range in one grain. */
export interface UsageSlice {
  readonly grain: UsageGrain;
  readonly from: Instant; // included
  readonly until: Instant; // excluded
}

/** The same counts summed in two ways, each in any order; times and routes without rows are left out. */
export interface UsageSums {
  /** By grain and time, all routes together. */
  readonly moments: readonly MomentSum[];
  /** By route; a route may have several sums. Hour totals are not included. */
  readonly routes: readonly RouteSum[];
}

export interface MomentSum extends UsageCounts {
  readonly grain: UsageGrain;
  readonly at: Instant;
}

export interface RouteSum {
  readonly method: string;
  readonly path: string;
  readonly requests: number;
}
