import type { Instant } from "../kernel/clock.js";
import type { Page } from "../kernel/page.js";
import type { ApiKey, PresentedKey } from "./api-key.js";
import type { Business } from "./business.js";
import type { Session, User } from "./user.js";

/**
 * The store's port for credentials: their reads, and what is pruned. After a commit resolves, every later lookup in every
 * process sees it, so a revocation takes effect at once. Lookups by credential search all businesses, because the
 * credential determines the business.
 */
export interface AccessStore {
  /**
   * The next id of a business: integers in ascending order, with a gap only after a creation that failed. Atomic across
   * processes; no id is returned twice.
   */
  reserveBusinessId(): Promise<string>;
  findBusiness(id: string): Promise<Business | null>;
  /** In order of id, as an integer, beginning after `after`; null = from the first. At most `limit`. */
  listBusinesses(after: string | null, limit: number): Promise<readonly Business[]>;
  findUser(businessId: string, id: string): Promise<User | null>;
  findUserByEmail(emailKey: string): Promise<User | null>;
  /** In order of id, as an integer. */
  listUsers(businessId: string, limit: number, offset: number): Promise<Page<User>>;
  /** True when any user exists in any business. */
  hasUsers(): Promise<boolean>;

  findSession(businessId: string, id: string): Promise<Session | null>;
  /** How many sessions of each of these users are not ended and have not expired at `now`; without a user that has none. */
  countLiveSessions(businessId: string, userIds: readonly string[], now: Instant): Promise<ReadonlyMap<string, number>>;
  /**
   * Removes sessions of all businesses that ended, or expired without a refresh, before `before`: at most `limit`.
   * Returns the number removed. A call may search only a part of the sessions; later calls search the others.
   */
  pruneSessions(before: Instant, limit: number): Promise<number>;

  findKey(businessId: string, id: string): Promise<ApiKey | null>;
  /**
   * By the digest of the current key or of the key it replaced, with the present tier of its business. The caller checks
   * whether the key is still usable. null without such a key or without its business.
   */
  findKeyByHash(hash: string): Promise<PresentedKey | null>;
  /** Newest first; keys of the same millisecond by id, as an integer, highest first. */
  listKeys(businessId: string, limit: number, offset: number): Promise<Page<ApiKey>>;
}

export interface RefreshRotation {
  readonly businessId: string;
  readonly sessionId: string;
  readonly expectedHash: string;
  readonly newHash: string;
  readonly newExpiresAt: Instant;
}
