import { z } from "zod";
import { EMPTY_PROFILE } from "../../access/business.js";
import { linkPreviewView, logoViewSchema, profileFields, profileViewOf } from "../../access/business-view.js";
import type { Seller } from "../budget-context.js";

const { currency: _ownDefault, numberPattern: _ownPattern, reminderDays: _ownReminders, ...shown } = profileFields;

/** The business as its customers see it; null = not given. */
export const sellerViewSchema = z.object({
  /** The name that customers know; null = unknown business. */
  name: z.string().nullable(),
  /** The time zone of the dates of the page. */
  timeZone: z.string().describe("The time zone of the dates of the page."),
  ...shown,
  /** The image at `logo` below the link; absent = none. */
  logo: logoViewSchema.optional().describe("The image at `logo` below the link; absent = none."),
  /** What previews of the link name; absent = neither. */
  linkPreview: linkPreviewView.optional().describe("What previews of the link name; absent = neither."),
});
export type SellerView = z.infer<typeof sellerViewSchema>;

/** `terms` are those that the budget was sent with; absent = those of the business, as they are now. */
export function sellerViewOf(seller: Seller | null, terms?: string): SellerView {
  const {
    currency: _currency,
    numberPattern: _pattern,
    reminderDays: _reminders,
    paymentUrl: _paymentUrl,
    taxes: _ownTaxes,
    ...profile
  } = profileViewOf(seller?.profile ?? EMPTY_PROFILE);
  const view = { name: seller?.name ?? null, timeZone: seller?.timeZone ?? "UTC", ...profile };
  return terms === undefined ? view : { ...view, terms };
}
