import type { Instant } from "../kernel/clock.js";

/**
 * What `Idempotency-Key` needs of a store.
 *
 * A request first claims its key; the commit of its effect completes the claim in the same transaction (see
 * {@link Receipt}), so that a crash leaves either both or neither. A request that ends without an effect releases it.
 */
export interface IdempotencyStore {
  /**
   * Claims a key for one request. Exactly one of several simultaneous callers gets `"claimed"`. A claim whose lease
   * has lapsed and a record that has expired count as absent and are taken over.
   */
  claimKey(claim: Claim, now: Instant): Promise<ClaimOutcome>;

  /** Gives an uncompleted claim up; does nothing when it was completed or taken over. */
  releaseClaim(businessId: string, key: string, claimId: string): Promise<void>;

  /** What the completed claim of a key has left, unless that has expired; null = nothing. Claims nothing. */
  findCompletedClaim(businessId: string, key: string, now: Instant): Promise<CompletedClaim | null>;

  /** Removes at most `limit` records that expired before `now`; gives how many. Looks across businesses. */
  pruneClaims(now: Instant, limit: number): Promise<number>;
}

export interface Claim {
  readonly businessId: string;
  readonly key: string; // the client's key, bound to its credential: a digest
  readonly claimId: string; // fences this claim from a later one
  readonly fingerprint: string; // digest of the request that the key stands for
  readonly leaseUntil: Instant; // until when an uncompleted claim blocks others
  readonly expiresAt: Instant; // until when the completed record answers replays
}

/** The request that a key stands for, and what it was answered. */
export interface CompletedClaim {
  readonly fingerprint: string;
  readonly response: string;
}

export type ClaimOutcome =
  | { readonly kind: "claimed" }
  | { readonly kind: "in-flight" }
  | ({ readonly kind: "completed" } & CompletedClaim);

/** Completes a claim together with the effect: the store writes `response` if `claimId` still holds the key. */
export interface Receipt {
  readonly businessId: string;
  readonly key: string;
  readonly claimId: string;
  readonly response: string; // the whole response to replay, sealed
}
