import type { CreateCustomer, Customer } from "@budgetkit/client";
import { metadataText, readMetadata } from "../records/metadata.js";

export const CUSTOMER_FIELDS = [
  "name",
  "email",
  "phone",
  "taxCondition",
  "cuit",
  "dni",
  "address",
  "externalId",
] as const;
export type CustomerField = (typeof CUSTOMER_FIELDS)[number];

/** What stands in the fields of a customer's form. */
export type CustomerDraft = Readonly<Record<CustomerField | "id" | "metadata", string>>;

export const EMPTY_CUSTOMER: CustomerDraft = {
  id: "",
  name: "",
  email: "",
  phone: "",
  taxCondition: "",
  cuit: "",
  dni: "",
  address: "",
  externalId: "",
  metadata: "",
};

export function customerDraftOf(customer: Customer): CustomerDraft {
  const fields = CUSTOMER_FIELDS.map((field): [CustomerField, string] => [field, customer[field] ?? ""]);
  return { ...EMPTY_CUSTOMER, ...Object.fromEntries(fields), metadata: metadataText(customer.metadata) };
}

/** The content that the draft stands for; null = its metadata is no JSON object. */
export function customerInputOf(draft: CustomerDraft): Omit<CreateCustomer, "id"> | null {
  const metadata = readMetadata(draft.metadata);
  if (metadata === null) return null;
  const textOf = (field: CustomerField) => draft[field].trim() || null;
  return {
    name: draft.name.trim(),
    email: textOf("email"),
    phone: textOf("phone"),
    taxCondition: textOf("taxCondition"),
    cuit: textOf("cuit"),
    dni: textOf("dni"),
    address: textOf("address"),
    externalId: textOf("externalId"),
    metadata,
  };
}
