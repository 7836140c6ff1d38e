import type { Instant } from "../kernel/clock.js";

/**
 * The port of `Idempotency-Key`.
 *
 * A request first claims its key. The commit of its effect completes the claim in the same transaction (see
 * {@link IdempotencyRecord}): a crash leaves both or neither. A request that ends without an effect releases its claim.
 */
export interface IdempotencyStore {
  /**
   * Claims a key for one request. Exactly one of several concurrent callers gets `"claimed"`. A claim with a lapsed
   * lease and an expired record count as absent: the caller takes the key over.
   */
  claimKey(claim: Claim, now: Instant): Promise<ClaimOutcome>;

  /** Removes an uncompleted claim. Does nothing when the claim is completed or taken over. */
  releaseClaim(businessId: string, key: string, claimId: string): Promise<void>;

  /** The completed claim of a key; null = none, or expired. Claims nothing. */
  findCompletedClaim(businessId: string, key: string, now: Instant): Promise<CompletedClaim | null>;

  /** Removes at most `limit` records that expired before `now`, of all businesses. Returns the number removed. */
  pruneClaims(now: Instant, limit: number): Promise<number>;
}

export interface Claim {
  readonly businessId: string;
  readonly key: string; // digest of the client's key and its credential
  readonly claimId: string; // fencing token: a later claim has another
  readonly fingerprint: string; // digest of the request
  readonly leaseUntil: Instant; // an uncompleted claim blocks other requests until then
  readonly expiresAt: Instant; // the completed record answers replays until then
}

/** The request of a key, and what its commit recorded. */
export interface CompletedClaim {
  readonly fingerprint: string;
  readonly response: string; // as in IdempotencyRecord
}

export type ClaimOutcome =
  | { readonly kind: "claimed" }
  | { readonly kind: "in-flight" }
  | ({ readonly kind: "completed" } & CompletedClaim);

/** Completes a claim in the commit of its effect. The store writes `response` if `claimId` still holds the key. */
export interface IdempotencyRecord {
  readonly businessId: string;
  readonly key: string;
  readonly claimId: string;
  readonly response: string; // the result of the operation, encrypted; of earlier releases the whole response
}
