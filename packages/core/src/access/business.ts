import type { Instant } from "../kernel/clock.js";

/** The plan of a business. It limits the rates of the business's keys. Source: contract, Limits. */
export const TIERS = ["STANDARD", "PREMIUM", "ENTERPRISE"] as const;
export type Tier = (typeof TIERS)[number];

/** A tenant. Every record belongs to exactly one business. */
export interface Business {
  readonly id: string;
  readonly name: string;
  readonly tier: Tier; // only the operator sets it
  readonly timeZone: string; // IANA name; defines the calendar days of this business
  readonly profile: BusinessProfile;
  readonly version: number; // 1, then one more with each change; the tier does not count
  readonly createdAt: Instant;
}

/** How a business presents itself on the budgets that its customers see; null = not given. */
export interface BusinessProfile {
  readonly legalName: string | null;
  readonly taxId: string | null;
  readonly address: string | null; // may have several lines
  readonly email: string | null;
  readonly phone: string | null;
  readonly website: string | null;
  readonly accentColor: string | null; // #rrggbb
  readonly locale: string | null; // BCP 47, canonical
  readonly currency: string | null; // of new budgets that name none
  readonly terms: string | null;
  readonly paymentInstructions: string | null; // shown after the customer has accepted
  readonly footer: string | null;
}

export const EMPTY_PROFILE: BusinessProfile = {
  legalName: null,
  taxId: null,
  address: null,
  email: null,
  phone: null,
  website: null,
  accentColor: null,
  locale: null,
  currency: null,
  terms: null,
  paymentInstructions: null,
  footer: null,
};

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
