import type { Role } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";

/** A person who logs in. */
export interface User {
  readonly businessId: string;
  readonly id: string;
  readonly email: string; // as it was given
  readonly emailKey: string; // lower case; unique over all businesses
  readonly displayName: string;
  readonly avatarUrl: string | null;
  readonly role: Role;
  readonly emailVerified: boolean;
  readonly passwordHash: string;
  readonly createdAt: Instant;
}

/** One login. It lives through refreshes until it is ended or its refresh token expires. */
export interface Session {
  readonly businessId: string;
  readonly id: string;
  readonly userId: string;
  readonly refreshHash: string; // digest of the one refresh token that is valid now
  readonly refreshExpiresAt: Instant;
  readonly createdAt: Instant;
  readonly endedAt: Instant | null; // null = live
}

/** What makes two emails the same login. */
export function emailKeyOf(email: string): string {
  return email.toLowerCase();
}
