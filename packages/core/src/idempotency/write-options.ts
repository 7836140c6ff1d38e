import type { Instant } from "../kernel/clock.js";
import type { Problem } from "../kernel/problem.js";
import type { ClaimToComplete } from "./held-claim.js";

/** Options of one write. */
export interface WriteOptions {
  /** The moment at which the request arrived. Default: the clock's present time. */
  readonly now?: Instant;
  /** The version that the caller has read (If-Match). Null or absent = any version. */
  readonly expectedVersion?: number | null;
  /** The claim of the request's Idempotency-Key, which the commit of the effect completes with the result. */
  readonly claim?: ClaimToComplete;
  /** Of an import: the budget keeps this number, or has none, and gets no terms of the business. */
  readonly imported?: { readonly number: string | null };
}

/** Refuses a write when the caller has read another version than the stored one. Null = the write may proceed. */
export function refuseStaleVersion(
  subject: string, // a word for people: "budget"
  stored: { readonly version: number },
  { expectedVersion = null }: WriteOptions,
): Problem | null {
  if (expectedVersion === null || expectedVersion === stored.version) return null;
  return { kind: "stale", message: `The ${subject} has changed since the version that If-Match names.` };
}

/** Another request holds the idempotency key. Nothing was written. */
export const claimLost: Problem = {
  kind: "conflict",
  message: "Another request with this idempotency key is under way.",
  details: {},
};
