import { type Commit, commitOf, type Expected } from "../commit/commit.js";
import type { AuditEntry } from "../events/event.js";
import type { Instant } from "../kernel/clock.js";
import type { RefreshRotation } from "./access-store.js";
import type { ApiKey } from "./api-key.js";
import type { Business, Tier } from "./business.js";
import { isActiveOwner, type Session, type User } from "./user.js";

export type AccessWrite =
  /** A new business rejects when the id is taken. A replacement leaves the stored tier. */
  | { readonly kind: "business"; readonly business: Business; readonly expected: Expected }
  /** The version stays. `"missing"` when there is no such business. */
  | { readonly kind: "tier"; readonly tier: Tier }
  /**
   * Refused as taken when another user of any business has the emailKey; of concurrent callers exactly one writes. A
   * replacement leaves the stored lastLoginAt.
   */
  | { readonly kind: "user"; readonly user: User; readonly expected: Expected }
  | { readonly kind: "user-removal"; readonly userId: string; readonly expected: number }
  /** Replaces `expected` and adds one to the version of the user; `"stale"` when another hash is stored. */
  | {
      readonly kind: "password-hash";
      readonly userId: string;
      readonly expected: string;
      readonly hash: string;
    }
  /**
   * Opens a session if the stored hash of its user is still `passwordHash`; `"stale"` when another hash is stored, the
   * user is disabled, or the business has no such user. Rejects when the id is taken. The user's lastLoginAt becomes the
   * session's createdAt, unless it is later; the version of the user stays.
   */
  | { readonly kind: "session"; readonly session: Session; readonly passwordHash: string }
  /**
   * Replaces the refresh token, for exactly one caller that presents the current token of a live session that has not
   * expired at `now`. Otherwise `"stale"`: an ended session stays ended.
   */
  | { readonly kind: "session-refresh"; readonly rotation: RefreshRotation; readonly now: Instant }
  /** Ends a live session; `"missing"` when it was not live. */
  | { readonly kind: "session-end"; readonly sessionId: string; readonly at: Instant }
  /**
   * Ends the live sessions of a user, but for `except`. A concurrent opening of a session either commits first and is
   * ended here, or finds the written user.
   */
  | { readonly kind: "sessions-end"; readonly userId: string; readonly at: Instant; readonly except: string | null }
  /** A new key rejects when the id is taken. A replacement leaves the stored lastUsedAt. */
  | { readonly kind: "key"; readonly key: ApiKey; readonly expected: Expected }
  /** Records a use; never moves lastUsedAt backwards, never changes the version, and is never refused. */
  | { readonly kind: "key-use"; readonly keyId: string; readonly at: Instant };

/** Concurrent callers never exceed a limit, and never leave a business without an active OWNER. */
export type AccessCondition =
  /** Fewer keys of the business than `limit` are not REVOKED; else `"key-limit"`. */
  | { readonly kind: "keys-below"; readonly limit: number }
  /**
   * Fewer ACTIVE keys with a webhookUrl than `limit`; else `"webhook-limit"`. Not checked when the stored key `unless` is
   * one of them.
   */
  | { readonly kind: "webhook-keys-below"; readonly limit: number; readonly unless: string }
  /** The user is not the only active OWNER of the business (see isActiveOwner); else `"last-owner"`. */
  | { readonly kind: "not-last-owner"; readonly userId: string };

export type AccessCommit = Commit<AccessWrite, AccessCondition>;

/** A lookup in every process sees a commit once it is written, so a revocation takes effect at once. */
function accessCommit(
  businessId: string,
  writes: readonly AccessWrite[],
  audit: AuditEntry | null,
  conditions: readonly AccessCondition[] = [],
): AccessCommit {
  return commitOf(businessId, writes, { audit: audit === null ? [] : [audit], conditions });
}

export function insertBusinessCommit(business: Business, audit: AuditEntry | null = null): AccessCommit {
  return accessCommit(business.id, [{ kind: "business", business, expected: "absent" }], audit);
}

export function replaceBusinessCommit(
  business: Business,
  expected: number,
  audit: AuditEntry | null = null,
): AccessCommit {
  return accessCommit(business.id, [{ kind: "business", business, expected }], audit);
}

export function setTierCommit(businessId: string, tier: Tier, audit: AuditEntry | null = null): AccessCommit {
  return accessCommit(businessId, [{ kind: "tier", tier }], audit);
}

export function insertUserCommit(user: User, audit: AuditEntry | null = null): AccessCommit {
  return accessCommit(user.businessId, [{ kind: "user", user, expected: "absent" }], audit);
}

/** Ends of sessions that commit together with a changed user; null = the sessions stay. */
export interface SessionsEnd {
  readonly at: Instant;
  readonly except: string | null; // the session that stays; null = none
}

export function replaceUserCommit(
  user: User,
  expected: number,
  end: SessionsEnd | null = null,
  audit: AuditEntry | null = null,
): AccessCommit {
  const { businessId, id: userId } = user;
  const write = { kind: "user", user, expected } as const;
  const writes = end === null ? [write] : [write, { kind: "sessions-end", userId, ...end } as const];
  return accessCommit(businessId, writes, audit, isActiveOwner(user) ? [] : [{ kind: "not-last-owner", userId }]);
}

/** Deletes a user and ends their sessions at the time of the entry. */
export function removeUserCommit(userId: string, expected: number, audit: AuditEntry): AccessCommit {
  const writes = [
    { kind: "user-removal", userId, expected },
    { kind: "sessions-end", userId, at: audit.occurredAt, except: null },
  ] as const;
  return accessCommit(audit.businessId, writes, audit, [{ kind: "not-last-owner", userId }]);
}

export function replaceHashCommit(businessId: string, userId: string, expected: string, hash: string): AccessCommit {
  return accessCommit(businessId, [{ kind: "password-hash", userId, expected, hash }], null);
}

export function openSessionCommit(
  session: Session,
  passwordHash: string,
  audit: AuditEntry | null = null,
): AccessCommit {
  return accessCommit(session.businessId, [{ kind: "session", session, passwordHash }], audit);
}

export function refreshSessionCommit(rotation: RefreshRotation, now: Instant): AccessCommit {
  return accessCommit(rotation.businessId, [{ kind: "session-refresh", rotation, now }], null);
}

export function endSessionCommit(
  businessId: string,
  sessionId: string,
  at: Instant,
  audit: AuditEntry | null = null,
): AccessCommit {
  return accessCommit(businessId, [{ kind: "session-end", sessionId, at }], audit);
}

/** The most keys that a business may have. */
export interface KeyLimits {
  readonly keys: number; // that are not REVOKED
  readonly withWebhook: number;
}

export const NO_KEY_LIMITS: KeyLimits = { keys: Number.POSITIVE_INFINITY, withWebhook: Number.POSITIVE_INFINITY };

export function insertKeyCommit(
  key: ApiKey,
  limits: KeyLimits = NO_KEY_LIMITS,
  audit: AuditEntry | null = null,
): AccessCommit {
  const below: readonly AccessCondition[] = Number.isFinite(limits.keys)
    ? [{ kind: "keys-below", limit: limits.keys }]
    : [];
  const conditions = [...below, ...webhookLimit(key, limits.withWebhook)];
  return accessCommit(key.businessId, [{ kind: "key", key, expected: "absent" }], audit, conditions);
}

export function replaceKeyCommit(
  key: ApiKey,
  expected: number,
  withWebhook: number = NO_KEY_LIMITS.withWebhook,
  audit: AuditEntry | null = null,
): AccessCommit {
  return accessCommit(key.businessId, [{ kind: "key", key, expected }], audit, webhookLimit(key, withWebhook));
}

function webhookLimit(key: ApiKey, limit: number): readonly AccessCondition[] {
  const isLimited = key.status === "ACTIVE" && key.webhookUrl !== null && Number.isFinite(limit);
  return isLimited ? [{ kind: "webhook-keys-below", limit, unless: key.id }] : [];
}

export function touchKeyCommit(businessId: string, keyId: string, at: Instant): AccessCommit {
  return accessCommit(businessId, [{ kind: "key-use", keyId, at }], null);
}
