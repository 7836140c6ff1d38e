import { searchTextOfFields } from "../kernel/search-text.js";
import type { CatalogRecord } from "./record.js";

/** Somebody whom budgets are made for. */
export interface Customer extends CatalogRecord {
  readonly email: string | null;
  readonly phone: string | null;
  readonly dni: string | null; // 7 or 8 digits
  readonly cuit: string | null; // 11 digits; unique among the business's customers that are not deleted
  readonly taxCondition: string | null;
  readonly address: string | null;
  readonly externalId: string | null; // what another system calls the customer; need not be unique
}

/** A customer as budgets show it. */
export type CustomerSummary = Pick<Customer, "id" | "name" | "email" | "phone">;

/** The cuit that nobody else in the business may have; null = none, or the customer is deleted and has let go of it. */
export function cuitHeldBy({ cuit, deletedAt }: Customer): string | null {
  return deletedAt === null ? cuit : null;
}

/** What a search looks through. */
export function customerSearchText({ name, email, phone, dni, cuit, externalId }: Customer): string {
  return searchTextOfFields([name, email ?? "", phone ?? "", dni ?? "", cuit ?? "", externalId ?? ""]);
}
