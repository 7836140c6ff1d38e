import type { Instant } from "../kernel/clock.js";
import type { UsageCounts, UsageGrain, UsageRow } from "./usage.js";

/** What usage statistics need of a store. Each method is atomic. */
export interface UsageStore {
  /**
   * Adds the counts of each row to what is kept in its place, all of them or, when it rejects, none. Of simultaneous
   * callers, in whatever process, nobody's counts are lost. Rows may be of several businesses.
   */
  addUsage(rows: readonly UsageRow[]): Promise<void>;

  /**
   * What is kept of one key, or of the business altogether (null), and begins within the slices: all as of the same
   * moment. It is summed where it lies, since three months on many routes are thousands of rows.
   */
  sumUsage(businessId: string, keyId: string | null, slices: readonly UsageSlice[]): Promise<UsageSums>;

  /** Forgets rows that began before their grain's moment: of all businesses, at most `limit` a grain; gives how many. */
  pruneUsage(before: Readonly<Record<UsageGrain, Instant>>, limit: number): Promise<number>;
}

/** A stretch of time as one grain tells it. */
export interface UsageSlice {
  readonly grain: UsageGrain;
  readonly from: Instant; // included
  readonly until: Instant; // excluded
}

/** The same counts summed in two ways, each in any order; what has no row is left out. */
export interface UsageSums {
  /** By slice and moment, all routes together. */
  readonly moments: readonly MomentSum[];
  /** By route, one sum or several of it; what is kept for all routes together is in none. */
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
