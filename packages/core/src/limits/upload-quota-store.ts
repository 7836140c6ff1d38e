import type { Instant } from "../kernel/clock.js";
import type { Window } from "./rate-limit-store.js";

/**
 * The store's port for upload quotas: bytes per subject in a sliding window. An upload reserves bytes while it arrives
 * and is then settled with the bytes that were attached, which count for the length of the window. An unsettled hold
 * counts for the same time, so the hold of a crashed process lapses.
 *
 * Every call is one atomic decision across all processes that share the store: holds and settled bytes together never
 * exceed the limit.
 */
export interface UploadQuotaStore {
  /**
   * Creates or resizes the hold of this id: to `wanted` bytes, or to the free bytes if these are fewer but at least
   * `needed`. Otherwise the call is refused and the hold keeps its size.
   */
  holdUpload(subject: string, hold: UploadHold, window: Window, now: Instant): Promise<UploadDecision>;

  /** Ends a hold: `bytes`, at most the held ones, count from `now` on. 0 removes the hold. */
  settleUpload(subject: string, holdId: string, bytes: number, window: Window, now: Instant): Promise<void>;

  /** Removes at most `limit` lapsed holds and settled uploads. Returns the number removed. */
  pruneUploads(now: Instant, limit: number): Promise<number>;
}

export interface UploadHold {
  readonly id: string;
  readonly needed: number; // bytes
  readonly wanted: number; // bytes, at least `needed`
}

export interface UploadDecision {
  readonly held: number | null; // bytes of the hold after the call; null = refused
  readonly room: number; // bytes left
  readonly fitsAt: Instant; // refused: when `needed` will fit if no other upload comes; else now
}

/** A hold or a settled upload, as a store keeps it. */
export interface UploadCharge {
  readonly holdId: string;
  readonly bytes: number;
  readonly leavesAt: Instant; // when it leaves the window
}
