import { z } from "zod";
import { toTimestamp } from "../kernel/clock.js";
import { isTimeZone } from "../kernel/dates.js";
import { currencyCode, SIZES, timestampView } from "../kernel/fields.js";
import { type Business, type BusinessProfile, TIERS } from "./business.js";

const WEB_ADDRESS = /^https?:\/\/[^\s\\]+$/i;
const COLOR = /^#[0-9a-f]{6}$/;

export const businessName = z.string().min(1).max(SIZES.name);

export const timeZone = z
  .string()
  .refine(isTimeZone, { message: "must be an IANA time zone, such as America/Lima" })
  .describe("An IANA time zone. Plain dates are read in it.");

const shortText = z.string().min(1).max(SIZES.name);
const longText = z.string().min(1).max(SIZES.description);

/** The canonical form of a BCP 47 tag; null = not a language tag. */
function canonicalLocale(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

const locale = z
  .string()
  .max(35)
  .transform((tag, context) => {
    const canonical = canonicalLocale(tag);
    if (canonical !== null) return canonical;
    context.addIssue({
      code: "custom",
      message: "must be a language tag, such as es-AR",
      params: { code: "INVALID_FORMAT" },
    });
    return z.NEVER;
  })
  .describe("A BCP 47 language tag: the language and the number format of the business's documents.");

/** null clears a field; an absent field stays. */
export const updateBusinessSchema = z
  .object({
    name: businessName,
    timeZone,
    legalName: shortText.nullable().describe("The registered name."),
    taxId: z
      .string()
      .min(1)
      .max(50)
      .nullable()
      .describe("The number of the tax authority, such as a CUIT or VAT number."),
    address: longText.nullable().describe("The postal address; it may have several lines."),
    email: z.email().max(254).nullable().describe("For questions of customers."),
    phone: z.string().min(1).max(50).nullable(),
    website: z.string().max(2_048).regex(WEB_ADDRESS, "must be an address with http or https").nullable(),
    accentColor: z
      .string()
      .toLowerCase()
      .regex(COLOR, "must be a color such as #0b6e4f")
      .nullable()
      .describe("The color of the business's documents: # and six hexadecimal digits."),
    locale: locale.nullable(),
    currency: currencyCode
      .nullable()
      .describe("The ISO 4217 code of new budgets that name no currency; USD without one."),
    terms: z.string().min(1).max(SIZES.notes).nullable().describe("The terms that stand below every budget."),
    paymentInstructions: longText.nullable().describe("How to pay: shown to the customer after the acceptance."),
    footer: longText.nullable().describe("The last lines of every document."),
  } satisfies Record<keyof BusinessProfile | "name" | "timeZone", z.ZodType>)
  .partial()
  .meta({ id: "UpdateBusiness" });
export type UpdateBusinessInput = z.output<typeof updateBusinessSchema>;

const text = z.string().nullable();

export const businessViewSchema = z
  .object({
    id: z.string(),
    version: z.int(),
    name: z.string(),
    tier: z.enum(TIERS).describe("Set by the operator only."),
    timeZone: z.string(),
    legalName: text,
    taxId: text,
    address: text,
    email: text,
    phone: text,
    website: text,
    accentColor: text,
    locale: text,
    currency: text,
    terms: text,
    paymentInstructions: text,
    footer: text,
    createdAt: timestampView,
  })
  .meta({ id: "Business" });
export type BusinessView = z.infer<typeof businessViewSchema>;

export function businessViewOf({ id, version, name, tier, timeZone, profile, createdAt }: Business): BusinessView {
  return { id, version, name, tier, timeZone, ...profile, createdAt: toTimestamp(createdAt) };
}
