/** What a business has paid for; it bounds the rates of its keys. Source: contract, Limits. */
export const TIERS = ["STANDARD", "PREMIUM", "ENTERPRISE"] as const;
export type Tier = (typeof TIERS)[number];

/** Requests an hour: the rate of a key that names none, and the highest that a key may name. */
export interface TierRates {
  readonly defaultPerHour: number;
  readonly maxPerHour: number | null; // null = without bound
}

export const TIER_RATES: Readonly<Record<Tier, TierRates>> = {
  STANDARD: { defaultPerHour: 1_000, maxPerHour: 10_000 },
  PREMIUM: { defaultPerHour: 5_000, maxPerHour: 50_000 },
  ENTERPRISE: { defaultPerHour: 25_000, maxPerHour: null },
};
