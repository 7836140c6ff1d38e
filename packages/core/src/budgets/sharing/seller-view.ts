import { z } from "zod";
import { EMPTY_PROFILE } from "../../access/business.js";
import type { Seller } from "../budget-context.js";

const text = z.string().nullable();

/** The business as its customers see it; null = not given. */
export const sellerViewSchema = z.object({
  name: text,
  timeZone: z.string().describe("The time zone of the dates of the page."),
  legalName: text,
  taxId: text,
  address: text,
  email: text,
  phone: text,
  website: text,
  accentColor: text,
  locale: text,
  terms: text,
  paymentInstructions: text,
  footer: text,
});
export type SellerView = z.infer<typeof sellerViewSchema>;

export function sellerViewOf(seller: Seller | null): SellerView {
  const { currency: _ownDefault, ...profile } = seller?.profile ?? EMPTY_PROFILE;
  return { name: seller?.name ?? null, timeZone: seller?.timeZone ?? "UTC", ...profile };
}
