import type { Instant } from "../kernel/clock.js";
import type { NamedTax } from "../pricing/named-tax.js";
import type { MailSettings } from "./mail-settings.js";

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
  /** How it presents itself to its customers. */
  readonly profile: BusinessProfile;
  /** 1, then one more with each change; the tier does not count. */
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly createdAt: Instant;
}

/** How a business presents itself on the budgets that its customers see; null = not given. */
export interface BusinessProfile {
  /** The registered name. */
  readonly legalName: string | null;
  /** The number of the tax authority, such as a CUIT or VAT number. */
  readonly taxId: string | null;
  /** The postal address; it may have several lines. */
  readonly address: string | null;
  /** For questions of customers. */
  readonly email: string | null;
  /** For questions of customers. */
  readonly phone: string | null;
  /** An address with http or https. */
  readonly website: string | null;
  /** The color of documents, as #rrggbb. */
  readonly accentColor: string | null;
  /** BCP 47 language tag, in canonical form. */
  readonly locale: string | null;
  /** ISO 4217 code of new budgets that name no currency; without one, USD. */
  readonly currency: string | null;
  /** The terms that stand below every budget. */
  readonly terms: string | null;
  /** How to pay, shown to the customer after the acceptance. */
  readonly paymentInstructions: string | null;
  /** The last lines of every document. */
  readonly footer: string | null;
  /** How budgets are numbered, such as Q-{year}-{seq:4}; without one they have no numbers. */
  readonly numberPattern: string | null;
  /** Shown on documents; absent = none. */
  readonly logo?: Logo;
  /** How many days before the end of its validity a mailed budget has a reminder; null = none. */
  readonly reminderDays: readonly number[] | null;
  /** Where customers pay, an address with https; absent = none. */
  readonly paymentUrl?: string;
  /** What the preview of a link in a chat or a mail names; absent = neither. */
  readonly linkPreview?: LinkPreview;
  /** Which acts are notified by mail; absent = DEFAULT_MAILS. */
  readonly mails?: MailSettings;
  /** The taxes that its budgets and products name; absent = none. Its customers do not see them. */
  readonly taxes?: readonly NamedTax[];
  /** Users without a second factor may only enrol one; absent = they may do everything. Its customers do not see it. */
  readonly requireSecondFactor?: true;
}

/** What the title of the customer's page in previews of its link names. Whoever sees the link sees the preview. */
export interface LinkPreview {
  /** The name of the customer. */
  readonly showsName: boolean;
  /** The total of the budget. */
  readonly showsTotal: boolean;
}

/** An image in the blob store. */
export interface Logo {
  /** The name of the blob: an id of the business. */
  readonly blobId: string;
  /** Media type of the content. */
  readonly contentType: LogoType;
  /** Bytes. */
  readonly size: number;
  /** Of the bytes, in hexadecimal. */
  readonly sha256: string;
}

export const LOGO_TYPES = ["image/png", "image/jpeg", "image/svg+xml"] as const;
export type LogoType = (typeof LOGO_TYPES)[number];

export const MAX_LOGO_BYTES = 512 * 1024;

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
  numberPattern: null,
  reminderDays: null,
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
