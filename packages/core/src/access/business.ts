import type { Instant } from "../kernel/clock.js";
import type { Tier } from "../limits/tiers.js";

/** A tenant: everything belongs to exactly one. */
export interface Business {
  readonly id: string;
  readonly name: string;
  readonly tier: Tier; // set by the operator only
  readonly timeZone: string; // IANA name; the calendar days of this business
  readonly createdAt: Instant;
}
