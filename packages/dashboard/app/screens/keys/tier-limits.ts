import type { Operations } from "@budgetkit/client";

interface TierLimits {
  readonly ofNewKeys: number; // requests an hour
  readonly highest: number | null; // null = any
}

/** What the tiers of businesses allow. Source: contract, Limits. */
export const TIER_LIMITS: Readonly<Record<Operations["getBusiness"]["answer"]["tier"], TierLimits>> = {
  STANDARD: { ofNewKeys: 1_000, highest: 10_000 },
  PREMIUM: { ofNewKeys: 5_000, highest: 50_000 },
  ENTERPRISE: { ofNewKeys: 25_000, highest: null },
};
