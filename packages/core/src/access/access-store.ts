import type { Receipt } from "../idempotency/idempotency-store.js";
import type { Instant } from "../kernel/clock.js";
import type { Page } from "../kernel/page.js";
import type { Tier } from "../limits/tiers.js";
import type { ApiKey } from "./api-key.js";
import type { Business } from "./business.js";
import type { Session, User } from "./user.js";

/**
 * What credentials need of a store. A change that is acknowledged is seen by every later lookup, in every process:
 * that is what makes a revocation immediate. Lookups by a credential look across businesses, since the credential is
 * what tells the business.
 */
export interface AccessStore {
  /** Rejects when the id is taken. */
  insertBusiness(business: Business): Promise<void>;
  findBusiness(id: string): Promise<Business | null>;
  /** Those behind `after` in the order of their ids, as integers; null = from the first. At most `limit`. */
  listBusinesses(after: string | null, limit: number): Promise<readonly Business[]>;
  /** @returns false when there is no such business. */
  setBusinessTier(id: string, tier: Tier): Promise<boolean>;

  /** `"taken"` when the emailKey exists in any business; of several simultaneous callers one gets `"written"`. */
  insertUser(user: User): Promise<"written" | "taken">;
  findUser(businessId: string, id: string): Promise<User | null>;
  findUserByEmail(emailKey: string): Promise<User | null>;
  /** Puts a new hash in the place of `expectedHash`; `"stale"` when another one is stored by now. */
  replacePasswordHash(
    businessId: string,
    userId: string,
    expectedHash: string,
    hash: string,
  ): Promise<"written" | "stale">;
  /**
   * Puts a new hash in the place of whichever is stored and ends all live sessions of the user at `now`, in one step:
   * each session begins before it, and ends with it, or is `"stale"`.
   * @returns how many sessions were ended; null when there is no such user.
   */
  resetPasswordHash(businessId: string, userId: string, hash: string, now: Instant): Promise<number | null>;
  /** True when any user exists in any business: the first start asks. */
  hasUsers(): Promise<boolean>;

  /**
   * Begins a session while `passwordHash`, which the password was checked against, is stored for the user, in one step
   * with asking for it. `"stale"` when another one is stored by now, or there is no such user in the business: nothing
   * is written. Rejects when the id is taken.
   */
  insertSession(session: Session, passwordHash: string): Promise<"written" | "stale">;
  findSession(businessId: string, id: string): Promise<Session | null>;
  /**
   * Trades the refresh token: `"rotated"` for exactly one caller that presents the live one of a live session that
   * has not expired at `now`. Anything else is `"refused"` and writes nothing: a session that ends meanwhile, by
   * whichever way, stays ended.
   */
  rotateRefresh(rotation: RefreshRotation, now: Instant): Promise<"rotated" | "refused">;
  /** Ends a live session; false when it was not live. */
  endSession(businessId: string, id: string, now: Instant): Promise<boolean>;
  /**
   * Forgets sessions of all businesses that were ended, or expired without a refresh, before `before`: at most `limit`
   * of them; gives how many. A call may look through a part of the sessions and leave the others to the next calls.
   */
  pruneSessions(before: Instant, limit: number): Promise<number>;

  /**
   * Rejects when the id is taken. `"receipt-lost"` as for budgets; `"full"` when the key is ACTIVE with a webhookUrl and
   * `webhookLimit` keys of the business are so already; `"too-many"` when `limit` keys of the business are not REVOKED:
   * nothing is written. However many callers there are at once, there are never more; no limits by default.
   */
  insertKey(
    key: ApiKey,
    receipt: Receipt | null,
    webhookLimit?: number,
    limit?: number,
  ): Promise<"written" | "receipt-lost" | "full" | "too-many">;
  findKey(businessId: string, id: string): Promise<ApiKey | null>;
  /** By the digest of the key, or of the one it replaced; whether it may still be used is the caller's decision. */
  findKeyByHash(hash: string): Promise<ApiKey | null>;
  /** Newest first; of those of the same moment the higher id, as an integer, first. */
  listKeys(businessId: string, limit: number, offset: number): Promise<Page<ApiKey>>;
  /**
   * Compare-and-set on the version; lastUsedAt is left as it is stored. `"full"` as for a new key, unless the key is
   * ACTIVE with a webhookUrl already.
   */
  replaceKey(key: ApiKey, expectedVersion: number, webhookLimit?: number): Promise<"written" | "stale" | "full">;
  /** Records a use; never moves lastUsedAt backwards and never changes the version. */
  touchKey(businessId: string, id: string, usedAt: Instant): Promise<void>;
}

export interface RefreshRotation {
  readonly businessId: string;
  readonly sessionId: string;
  readonly expectedHash: string;
  readonly newHash: string;
  readonly newExpiresAt: Instant;
}
