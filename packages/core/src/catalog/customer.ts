import { searchTextOfFields } from "../kernel/list-query.js";
import type { CatalogRecord } from "./record.js";

export interface Customer extends CatalogRecord {
  readonly email: string | null;
  readonly phone: string | null;
  readonly dni: string | null; // 7 or 8 digits
  readonly cuit: string | null; // 11 digits; unique among the business's customers that are not deleted
  readonly taxCondition: string | null;
  readonly address: string | null;
  readonly externalId: string | null; // the customer's id in another system; need not be unique
}

/** The part of a customer that budgets show. */
export type CustomerSummary = Pick<Customer, "id" | "name" | "email" | "phone">;

/** The cuit that no other customer of the business may have; null = none, or the customer is deleted. */
export function cuitHeldBy({ cuit, deletedAt }: Customer): string | null {
  return deletedAt === null ? cuit : null;
}

/**
 * The form by which an inline customer finds the one with the same email: ASCII letters in lower case, as `lower` of the
 * databases makes it. Several customers may share an email.
 */
export function customerEmailKeyOf(email: string): string {
  return email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The text that a search scans. */
export function customerSearchText({ name, email, phone, dni, cuit, externalId }: Customer): string {
  return searchTextOfFields([name, email ?? "", phone ?? "", dni ?? "", cuit ?? "", externalId ?? ""]);
}
