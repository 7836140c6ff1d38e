import type { Instant } from "../kernel/clock.js";
import type { UsageGrain, UsageRow } from "./usage.js";

/** What usage statistics need of a store. Each method is atomic. */
export interface UsageStore {
  /**
   * Adds the counts of each row to what is kept in its place, all of them or, when it rejects, none. Of simultaneous
   * callers, in whatever process, nobody's counts are lost. Rows may be of several businesses.
   */
  addUsage(rows: readonly UsageRow[]): Promise<void>;

  /**
   * The rows of one key, or of the business altogether (null), that begin within the slices: in any order, all as of
   * the same moment.
   */
  findUsage(businessId: string, keyId: string | null, slices: readonly UsageSlice[]): Promise<readonly UsageRow[]>;

  /** Forgets rows that began before their grain's moment: of all businesses, at most `limit` a grain; gives how many. */
  pruneUsage(before: Readonly<Record<UsageGrain, Instant>>, limit: number): Promise<number>;
}

/** A stretch of time as one grain tells it. */
export interface UsageSlice {
  readonly grain: UsageGrain;
  readonly from: Instant; // included
  readonly until: Instant; // excluded
}
