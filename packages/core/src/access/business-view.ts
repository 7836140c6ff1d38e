import { z } from "zod";
import { toTimestamp } from "../kernel/clock.js";
import { isTimeZone } from "../kernel/dates.js";
import { currencyCode, emailAddress, HTTP_URL, paymentUrl, SIZES, timestampView } from "../kernel/fields.js";
import { MAX_NAMED_TAXES } from "../pricing/named-tax.js";
import { namedTaxInput, namedTaxView } from "../pricing/tax-fields.js";
import { type Business, type BusinessProfile, LOGO_TYPES, TIERS } from "./business.js";
import { DEFAULT_MAILS, mailSettingsChange, mailSettingsView } from "./mail-settings.js";

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

const MAX_REMINDERS = 5;
const MAX_REMINDER_DAYS = 60;

const reminderDays = z
  .array(z.int().min(0).max(MAX_REMINDER_DAYS))
  .min(1)
  .max(MAX_REMINDERS)
  .transform((days) => [...new Set(days)].sort((a, b) => b - a));

const linkPreview = z
  .object({
    /** The name of the customer. Default false. */
    showsName: z.boolean().default(false),
    /** The total of the budget. Default false. */
    showsTotal: z.boolean().default(false),
  })
  .meta({ id: "LinkPreview" });

/** null clears a field; an absent field stays. */
export const updateBusinessSchema = z
  .object({
    /** The name that customers know. */
    name: businessName,
    /** IANA name; plain dates are read in it. */
    timeZone,
    /** The registered name. */
    legalName: shortText.nullable().describe("The registered name."),
    /** The number of the tax authority, such as a CUIT or VAT number. */
    taxId: z
      .string()
      .min(1)
      .max(50)
      .nullable()
      .describe("The number of the tax authority, such as a CUIT or VAT number."),
    /** The postal address; it may have several lines. */
    address: longText.nullable().describe("The postal address; it may have several lines."),
    /** For questions of customers. */
    email: emailAddress.nullable().describe("For questions of customers."),
    /** For questions of customers. */
    phone: z.string().min(1).max(50).nullable(),
    /** An address with http or https. */
    website: z.string().max(2_048).regex(HTTP_URL, "must be an address with http or https").nullable(),
    /** The color of documents, as #rrggbb. */
    accentColor: z
      .string()
      .toLowerCase()
      .regex(COLOR, "must be a color such as #0b6e4f")
      .nullable()
      .describe("The color of the business's documents: # and six hexadecimal digits."),
    /** BCP 47 language tag, in canonical form. */
    locale: locale.nullable(),
    /** ISO 4217 code of new budgets that name no currency; without one, USD. */
    currency: currencyCode
      .nullable()
      .describe("The ISO 4217 code of new budgets that name no currency; USD without one."),
    /** The terms that stand below every budget. */
    terms: z.string().min(1).max(SIZES.notes).nullable().describe("The terms that stand below every budget."),
    /** How to pay, shown to the customer after the acceptance. */
    paymentInstructions: longText.nullable().describe("How to pay: shown to the customer after the acceptance."),
    /** The last lines of every document. */
    footer: longText.nullable().describe("The last lines of every document."),
    /** How many days before the end of its validity a mailed budget has a reminder. */
    reminderDays: reminderDays
      .nullable()
      .describe("How many days before the end of its validity a mailed budget has a reminder, such as [7, 1]."),
    /** How budgets are numbered, such as Q-{year}-{seq:4}; without one they have no numbers. */
    numberPattern: z
      .string()
      .nullable()
      .describe("How budgets are numbered when they are sent, such as Q-{year}-{seq:4}; null = they have no numbers."),
    /** Where customers pay, with https; a budget may have its own. */
    paymentUrl: paymentUrl.nullable().describe("Where customers pay, with https. A budget may have its own."),
    /** What previews of the customer's link name in their title; null = neither. */
    linkPreview: linkPreview
      .nullable()
      .describe("What previews of the customer's link name in their title; null = neither."),
    /** Which acts are notified by mail; an absent setting stays, null = the defaults. */
    mails: mailSettingsChange
      .nullable()
      .describe("Which acts are notified by mail. An absent setting stays; null = the defaults."),
    /** The taxes that budgets and products name by their ids; the list replaces the former one, null = none. */
    taxes: z
      .array(namedTaxInput)
      .max(MAX_NAMED_TAXES)
      .nullable()
      .describe("The taxes that budgets and products name by their ids. Replaces the former list; null or [] = none."),
    /** True: users without a second factor may only enrol one. Only an OWNER who has one turns it on. */
    requireSecondFactor: z
      .boolean()
      .describe("True: users without a second factor may only enrol one. Only an OWNER who has one turns it on."),
  } satisfies Record<Exclude<keyof BusinessProfile, "logo"> | "name" | "timeZone", z.ZodType>)
  .partial()
  .meta({ id: "UpdateBusiness" });
/** The fields of a business to change; null clears one, an absent field stays. */
export interface UpdateBusiness extends z.input<typeof updateBusinessSchema> {}
export type UpdateBusinessInput = z.output<typeof updateBusinessSchema>;

const text = z.string().nullable();
const days = z.array(z.int()).readonly().nullable();

/** Members that a view has only where they are set. */
type AbsentField = "logo" | "paymentUrl" | "linkPreview" | "taxes";

type ProfileFields = {
  readonly [Field in Exclude<
    keyof BusinessProfile,
    AbsentField | "reminderDays" | "mails" | "requireSecondFactor"
  >]: typeof text;
} & {
  /** How many days before the end of its validity a mailed budget has a reminder; null = none. */
  readonly reminderDays: typeof days;
};

/** The profile in views; null = not given. */
export const profileFields: ProfileFields = {
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
  /** How budgets are numbered, such as Q-{year}-{seq:4}; without one they have no numbers. */
  numberPattern: text,
  reminderDays: days,
};

export const linkPreviewView = z
  .object({
    /** The name of the customer. */
    showsName: z.boolean(),
    /** The total of the budget. */
    showsTotal: z.boolean(),
  })
  .meta({ id: "LinkPreviewView" });

export const logoViewSchema = z
  .object({
    /** Media type of the image. */
    contentType: z.enum(LOGO_TYPES),
    /** Bytes. */
    size: z.int().describe("Bytes."),
    /** Of the bytes, in hexadecimal. */
    sha256: z.string().describe("Of the bytes, in hexadecimal."),
  })
  .meta({ id: "Logo" });

/** The fields of a profile in a view: the logo only where there is one, without the name of its blob; no inner settings. */
export function profileViewOf({ logo, mails: _mails, requireSecondFactor: _login, ...fields }: BusinessProfile) {
  if (logo === undefined) return fields;
  const { contentType, size, sha256 } = logo;
  return { ...fields, logo: { contentType, size, sha256 } };
}

export const businessViewSchema = z
  .object({
    /** Assigned by the service. */
    id: z.string(),
    /** Grows by one with each change; the ETag names it. */
    version: z.int(),
    /** The name that customers know. */
    name: z.string(),
    /** Limits the rates of the keys; only the operator sets it. */
    tier: z.enum(TIERS).describe("Set by the operator only."),
    /** IANA name; plain dates are read in it. */
    timeZone: z.string(),
    ...profileFields,
    /** Which acts are notified by mail. */
    mails: mailSettingsView.describe("Which acts are notified by mail."),
    /** True: users without a second factor may only enrol one. */
    requireSecondFactor: z.boolean().describe("True: users without a second factor may only enrol one."),
    /** Shown on documents; absent = none. */
    logo: logoViewSchema.optional().describe("Shown on documents; absent = none."),
    /** Where customers pay; absent = none. */
    paymentUrl: z.string().optional().describe("Where customers pay; absent = none."),
    /** What previews of the customer's link name; absent = neither. */
    linkPreview: linkPreviewView.optional().describe("What previews of the customer's link name; absent = neither."),
    /** The taxes that budgets and products name by their ids; absent = none. */
    taxes: z
      .array(namedTaxView)
      .readonly()
      .optional()
      .describe("The taxes that budgets and products name by their ids; absent = none."),
    /** ISO 8601, in UTC. */
    createdAt: timestampView,
  })
  .meta({ id: "Business" });
export type BusinessView = z.infer<typeof businessViewSchema>;

export function businessViewOf({ id, version, name, tier, timeZone, profile, createdAt }: Business): BusinessView {
  const mails = profile.mails ?? DEFAULT_MAILS;
  const requireSecondFactor = profile.requireSecondFactor === true;
  const settings = { mails, requireSecondFactor };
  return {
    id,
    version,
    name,
    tier,
    timeZone,
    ...profileViewOf(profile),
    ...settings,
    createdAt: toTimestamp(createdAt),
  };
}
