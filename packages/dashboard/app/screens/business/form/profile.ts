import type { LinkPreviewView, MailSettings, NamedTax } from "@budgetkit/client";
import type { Business, UpdateBusiness } from "../../../queries/business.js";

/** Fields of one text; empty = none. */
export const TEXT_FIELDS = [
  "name",
  "legalName",
  "taxId",
  "website",
  "address",
  "email",
  "phone",
  "accentColor",
  "locale",
  "currency",
  "timeZone",
  "numberPattern",
  "terms",
  "paymentInstructions",
  "paymentUrl",
  "footer",
] as const;

export type TextField = (typeof TEXT_FIELDS)[number];

/** The business as its form shows it. */
export type Profile = Readonly<Record<TextField, string>> & {
  readonly reminderDays: readonly number[];
  readonly linkPreview: LinkPreviewView;
  readonly mails: MailSettings;
  readonly taxes: readonly NamedTax[];
};

export type ProfileField = keyof Profile;
export type Edits = Partial<Profile>;

const NO_PREVIEW: LinkPreviewView = { showsName: false, showsTotal: false };

/** A business has no empty name and no empty time zone. */
const REQUIRED: readonly TextField[] = ["name", "timeZone"];

export function profileOf(business: Business): Profile {
  return {
    name: business.name,
    legalName: business.legalName ?? "",
    taxId: business.taxId ?? "",
    website: business.website ?? "",
    address: business.address ?? "",
    email: business.email ?? "",
    phone: business.phone ?? "",
    accentColor: business.accentColor ?? "",
    locale: business.locale ?? "",
    currency: business.currency ?? "",
    timeZone: business.timeZone,
    numberPattern: business.numberPattern ?? "",
    terms: business.terms ?? "",
    paymentInstructions: business.paymentInstructions ?? "",
    paymentUrl: business.paymentUrl ?? "",
    footer: business.footer ?? "",
    reminderDays: business.reminderDays ?? [],
    linkPreview: business.linkPreview ?? NO_PREVIEW,
    mails: business.mails,
    taxes: business.taxes ?? [],
  };
}

/** The fields that differ from those of the business. */
export function changedFields(base: Profile, edits: Edits): readonly ProfileField[] {
  return fieldsOf(base).filter((field) => field in edits && !isSame(base[field], edits[field]));
}

/** What is sent for them: an emptied field is null. */
export function changesOf(base: Profile, edits: Edits): UpdateBusiness {
  const changed = changedFields(base, edits);
  const next = { ...base, ...edits };
  const texts = TEXT_FIELDS.filter((field) => changed.includes(field)).map((field) => {
    const text = next[field].trim();
    return [field, text === "" && !REQUIRED.includes(field) ? null : text] as const;
  });
  return {
    ...Object.fromEntries(texts),
    ...(changed.includes("reminderDays") && {
      reminderDays: next.reminderDays.length === 0 ? null : next.reminderDays,
    }),
    ...(changed.includes("linkPreview") && { linkPreview: next.linkPreview }),
    ...(changed.includes("mails") && { mails: next.mails }),
    ...(changed.includes("taxes") && { taxes: next.taxes }),
  };
}

function fieldsOf(profile: Profile): readonly ProfileField[] {
  return [...TEXT_FIELDS, "reminderDays", "linkPreview", "mails", "taxes"].filter(
    (field): field is ProfileField => field in profile,
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
