import type { Instant } from "../kernel/clock.js";

/** The plan of a business. It limits the rates of the business's keys. Source: contract, Limits. */
export const TIERS = ["STANDARD", "PREMIUM", "ENTERPRISE"] as const;
export type Tier = (typeof TIERS)[number];

/** A tenant. Every record belongs to exactly one business. */
export interface Business {
  /** Assigned by the service. */
  readonly id: string;
  /** For people to read; customers see it on public links. */
  readonly name: string;
  /** Only the operator sets it. */
  readonly tier: Tier;
  /** IANA name; defines the calendar days of this business. */
  readonly timeZone: string;
  /** Milliseconds since 1970. */
  readonly createdAt: Instant;
}

/** Requests per hour: the default rate of a key, and the highest rate that a key may have. */
export interface TierRates {
  readonly defaultPerHour: number;
  readonly maxPerHour: number | null; // null = unlimited
}

export const TIER_RATES: Readonly<Record<Tier, TierRates>> = {
  STANDARD: { defaultPerHour: 1_000, maxPerHour: 10_000 },
  PREMIUM: { defaultPerHour: 5_000, maxPerHour: 50_000 },
  ENTERPRISE: { defaultPerHour: 25_000, maxPerHour: null },
};

/** The rate that a key really has: its own, or the maximum of its business's present tier if that is lower. */
export function rateWithin(tier: Tier, rateLimitPerHour: number): number {
  const { maxPerHour } = TIER_RATES[tier];
  return maxPerHour === null ? rateLimitPerHour : Math.min(rateLimitPerHour, maxPerHour);
}
