import type { Instant } from "../kernel/clock.js";
import type { Window } from "./rate-limit-store.js";

/**
 * What the limit of uploads needs of a store: bytes a subject, over a sliding window. An upload holds room while it
 * comes in and is settled with what was received, which then counts for the length of the window. A hold counts as
 * long, so that of a process that crashed something remains for that long.
 *
 * Every call is one atomic decision, in all processes that share the store: what is held and what counts together
 * never exceed the limit.
 */
export interface UploadQuotaStore {
  /**
   * Makes a hold, or changes the one of that id: to `wanted` bytes, or to as many as there is room for, but to no fewer
   * than `needed`. When not even those fit the call is refused and the hold stays what it was.
   */
  holdUpload(subject: string, hold: UploadHold, window: Window, now: Instant): Promise<UploadDecision>;

  /** Ends a hold: `bytes`, which are no more than it held, count from now on. With 0 nothing is left of it. */
  settleUpload(subject: string, holdId: string, bytes: number, window: Window, now: Instant): Promise<void>;

  /** Forgets at most `limit` holds and settled uploads that count no more; gives how many. */
  pruneUploads(now: Instant, limit: number): Promise<number>;
}

export interface UploadHold {
  readonly id: string;
  readonly needed: number; // bytes
  readonly wanted: number; // bytes, at least `needed`
}

export interface UploadDecision {
  readonly held: number | null; // bytes that the hold has by now; null = refused
  readonly room: number; // bytes that are left for others
  readonly fitsAt: Instant; // refused: when `needed` would fit, if nobody else came; else now
}

/** One upload that counts, as a store keeps it. */
export interface UploadCharge {
  readonly holdId: string;
  readonly bytes: number;
  readonly leavesAt: Instant;
}
