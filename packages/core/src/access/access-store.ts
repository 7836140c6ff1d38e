import type { AuditEntry } from "../events/event.js";
import type { IdempotencyRecord } from "../idempotency/idempotency-store.js";
import type { Instant } from "../kernel/clock.js";
import type { Page } from "../kernel/page.js";
import type { ApiKey, PresentedKey } from "./api-key.js";
import type { Business, Tier } from "./business.js";
import type { Session, User } from "./user.js";

/**
 * The store's port for credentials. After a write resolves, every later lookup in every process sees it, so a revocation
 * takes effect at once. Lookups by credential search all businesses, because the credential determines the business.
 * An `audit` entry commits together with the write, or not at all; null = none.
 */
export interface AccessStore {
  /**
   * The next id of a business: integers in ascending order, with a gap only after a creation that failed. Atomic across
   * processes; no id is returned twice.
   */
  reserveBusinessId(): Promise<string>;
  /** Rejects when the id is taken. */
  insertBusiness(business: Business, audit?: AuditEntry | null): Promise<void>;
  findBusiness(id: string): Promise<Business | null>;
  /** In order of id, as an integer, beginning after `after`; null = from the first. At most `limit`. */
  listBusinesses(after: string | null, limit: number): Promise<readonly Business[]>;
  /** Compare-and-set on the version; the stored tier stays. `"stale"` too when there is no such business. */
  replaceBusiness(business: Business, expectedVersion: number, audit?: AuditEntry | null): Promise<"written" | "stale">;
  /** The version stays. @returns false when there is no such business. */
  setBusinessTier(id: string, tier: Tier, audit?: AuditEntry | null): Promise<boolean>;

  /**
   * Inserts a user and commits `audit` with it; null = no entry. `"taken"` when the emailKey exists in any business; of
   * concurrent callers exactly one gets `"written"`.
   */
  insertUser(user: User, audit?: AuditEntry | null): Promise<"written" | "taken">;
  findUser(businessId: string, id: string): Promise<User | null>;
  findUserByEmail(emailKey: string): Promise<User | null>;
  /** In order of id, as an integer. */
  listUsers(businessId: string, limit: number, offset: number): Promise<Page<User>>;
  /** Compare-and-set: replaces `expectedHash` and adds one to the version; `"stale"` when another hash is stored. */
  replacePasswordHash(
    businessId: string,
    userId: string,
    expectedHash: string,
    hash: string,
  ): Promise<"written" | "stale">;
  /**
   * Compare-and-set on the version. The user, the end of the sessions and the audit entry commit together. A concurrent
   * insertSession either commits first and is ended here, or finds the written user. Nothing is written with
   * - `"stale"`: another version is stored, or the business has no such user;
   * - `"taken"`: another user of any business has the emailKey;
   * - `"last-owner"`: the stored user is the only active OWNER of the business (see isActiveOwner), and the new one would
   *   not be. Concurrent callers never leave a business without an active OWNER.
   */
  replaceUser(
    user: User,
    expectedVersion: number,
    change: UserChange,
  ): Promise<"written" | "stale" | "taken" | "last-owner">;
  /** Deletes the user and ends their sessions at `audit.occurredAt`, in one transaction. Outcomes as of replaceUser. */
  removeUser(
    businessId: string,
    id: string,
    expectedVersion: number,
    audit: AuditEntry,
  ): Promise<"removed" | "stale" | "last-owner">;
  /** True when any user exists in any business. */
  hasUsers(): Promise<boolean>;

  /**
   * Inserts a session if the user's stored hash is still `passwordHash`, in one transaction. `"stale"` when another hash
   * is stored, the user is disabled, or the business has no such user: nothing is written. Rejects when the id is taken.
   */
  insertSession(session: Session, passwordHash: string, audit?: AuditEntry | null): Promise<"written" | "stale">;
  findSession(businessId: string, id: string): Promise<Session | null>;
  /**
   * Replaces the refresh token. `"rotated"` for exactly one caller that presents the current token of a live session
   * that has not expired at `now`. Otherwise `"refused"`, and nothing is written: an ended session stays ended.
   */
  rotateRefresh(rotation: RefreshRotation, now: Instant): Promise<"rotated" | "refused">;
  /** Ends a live session; false when it was not live. */
  endSession(businessId: string, id: string, now: Instant, audit?: AuditEntry | null): Promise<boolean>;
  /**
   * Removes sessions of all businesses that ended, or expired without a refresh, before `before`: at most `limit`.
   * Returns the number removed. A call may search only a part of the sessions; later calls search the others.
   */
  pruneSessions(before: Instant, limit: number): Promise<number>;

  /**
   * Rejects when the id is taken. Writes nothing and returns `"claim-lost"` as for budgets; `"webhook-limit"` when the key
   * is ACTIVE with a webhookUrl and `webhookLimit` such keys of the business exist; `"key-limit"` when `limit` keys of the
   * business are not REVOKED. Concurrent callers never exceed a limit. No limits by default.
   */
  insertKey(
    key: ApiKey,
    record: IdempotencyRecord | null,
    webhookLimit?: number,
    limit?: number,
    audit?: AuditEntry | null,
  ): Promise<"written" | "claim-lost" | "webhook-limit" | "key-limit">;
  findKey(businessId: string, id: string): Promise<ApiKey | null>;
  /**
   * By the digest of the current key or of the key it replaced, with the present tier of its business. The caller checks
   * whether the key is still usable. null without such a key or without its business.
   */
  findKeyByHash(hash: string): Promise<PresentedKey | null>;
  /** Newest first; keys of the same millisecond by id, as an integer, highest first. */
  listKeys(businessId: string, limit: number, offset: number): Promise<Page<ApiKey>>;
  /**
   * Compare-and-set on the version; the stored lastUsedAt stays. `"webhook-limit"` as for a new key, unless the stored key
   * already is ACTIVE with a webhookUrl.
   */
  replaceKey(
    key: ApiKey,
    expectedVersion: number,
    webhookLimit?: number,
    audit?: AuditEntry | null,
  ): Promise<"written" | "stale" | "webhook-limit">;
  /** Records a use; never moves lastUsedAt backwards and never changes the version. */
  touchKey(businessId: string, id: string, usedAt: Instant): Promise<void>;
}

/** What commits together with a changed user. */
export interface UserChange {
  readonly audit: AuditEntry | null; // null = no act that an audit reads
  readonly endSessions: SessionEnd | null; // null = the sessions stay
}

/** Ends the live sessions of a user. */
export interface SessionEnd {
  readonly at: Instant;
  readonly except: string | null; // the session that stays; null = none
}

export interface RefreshRotation {
  readonly businessId: string;
  readonly sessionId: string;
  readonly expectedHash: string;
  readonly newHash: string;
  readonly newExpiresAt: Instant;
}
