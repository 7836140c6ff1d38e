import type { Role } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";

export interface User {
  readonly businessId: string;
  readonly id: string;
  readonly version: number; // from 1; every write adds one
  readonly email: string; // as given
  readonly emailKey: string; // see emailKeyOf; unique across all businesses
  readonly displayName: string;
  readonly avatarUrl: string | null; // null = none
  readonly role: Role;
  readonly emailVerified: boolean;
  readonly passwordHash: string; // NO_PASSWORD until an invited user sets one
  readonly disabledAt: Instant | null; // null = may log in
  readonly oneTimeToken: OneTimeToken | null; // null = none that is unused
  readonly secondFactor: SecondFactor | null; // null = none enrolled
  readonly createdAt: Instant;
  readonly lastLoginAt: Instant | null; // when the last session was opened; null = never. Only that write sets it
}

/** The second factor that logins ask for; null = none. */
export function activeFactorOf({ secondFactor }: Pick<User, "secondFactor">): SecondFactor | null {
  return secondFactor !== null && secondFactor.confirmedAt !== null ? secondFactor : null;
}

/** The stored hash of a user who has no password. No hasher writes it, so no password verifies against it. */
export const NO_PASSWORD = "";

/** Lets its holder set the user's password, or log in, once. A new token replaces the one before. */
export interface OneTimeToken {
  readonly purpose: "invitation" | "password-reset" | "login";
  readonly hash: string; // digest of the token
  readonly expiresAt: Instant;
}

/** A generator of codes (TOTP, RFC 6238) that the user enrolled. */
export interface SecondFactor {
  readonly sealedSecret: string; // encrypted at rest
  readonly confirmedAt: Instant | null; // null = logins do not ask for a code yet
  readonly lastStep: number; // time step of the last accepted code: it and older ones are refused
  readonly recoveryHashes: readonly string[]; // digests of the unused recovery codes
}

/** Begins with a login. Refreshes extend it; it ends by logout or when its refresh token expires. */
export interface Session {
  readonly businessId: string;
  readonly id: string;
  readonly userId: string;
  readonly refreshHash: string; // digest of the only valid refresh token
  readonly refreshExpiresAt: Instant;
  readonly createdAt: Instant;
  readonly endedAt: Instant | null; // null = not ended
}

/** True for a user who may log in as OWNER. A business keeps one at least, unless it never had one. */
export function isActiveOwner({ role, disabledAt, passwordHash }: User): boolean {
  return role === "OWNER" && disabledAt === null && passwordHash !== NO_PASSWORD;
}
