import { ok } from "neverthrow";
import { z } from "zod";
import { description, emailAddress, hostId, metadata, SIZES } from "../kernel/fields.js";
import { CATALOG_SIZES, cuit, dni, name } from "./catalog-fields.js";
import type { Customer } from "./customer.js";
import { withChanges } from "./record.js";
import { type Resource, recordMembersOf, recordViewFields } from "./resource.js";

const fields = z.object({
  /** For people to read. */
  name,
  /** Email address; null = none. */
  email: emailAddress.nullable(),
  /** Telephone number; null = none. */
  phone: z.string().min(1).max(CATALOG_SIZES.phone).nullable(),
  /** National identity number; null = none. */
  dni: dni.nullable(),
  /** Tax number, unique in the business; null = none. */
  cuit: cuit.nullable(),
  /** How tax law sees the customer; null = not known. */
  taxCondition: z.string().min(1).max(CATALOG_SIZES.taxCondition).nullable(),
  /** Postal address; null = none. */
  address: description.nullable(),
  /** Id in a system of the host; null = none. */
  externalId: z.string().min(1).max(SIZES.name).nullable(),
  /** Free data of the client. */
  metadata,
});

export const updateCustomerSchema = fields.partial().meta({ id: "UpdateCustomer" });
/** Changes of a customer. Fields that are left out keep their values. */
export interface UpdateCustomer extends z.input<typeof updateCustomerSchema> {}
export const createCustomerSchema = updateCustomerSchema
  .extend({
    /** The host's own id. Default: the service assigns one. */
    id: hostId.optional(),
    /** For people to read. */
    name,
  })
  .meta({ id: "CreateCustomer" });
/** The content of a new customer. */
export interface CreateCustomer extends z.input<typeof createCustomerSchema> {}

export const customerViewSchema = z
  .object({
    ...recordViewFields,
    /** For people to read. */
    name: z.string(),
    /** Email address; null = none. */
    email: z.string().nullable(),
    /** Telephone number; null = none. */
    phone: z.string().nullable(),
    /** National identity number; null = none. */
    dni: z.string().nullable(),
    /** Tax number, unique in the business; null = none. */
    cuit: z.string().nullable(),
    /** How tax law sees the customer; null = not known. */
    taxCondition: z.string().nullable(),
    /** Postal address; null = none. */
    address: z.string().nullable(),
    /** Id in a system of the host; null = none. */
    externalId: z.string().nullable(),
    /** Free data of the client. */
    metadata: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "Customer" });
export type CustomerView = z.infer<typeof customerViewSchema>;

const EMPTY = {
  email: null,
  phone: null,
  dni: null,
  cuit: null,
  taxCondition: null,
  address: null,
  externalId: null,
  metadata: {},
} as const;

export const customers: Resource<"customer", CustomerView, typeof createCustomerSchema, typeof updateCustomerSchema> = {
  kind: "customer",
  createSchema: createCustomerSchema,
  updateSchema: updateCustomerSchema,
  viewSchema: customerViewSchema,
  present: async (_context, records) => records.map(viewOf),
  make: async (_context, base, input) =>
    ok(withChanges<Customer>({ ...EMPTY, ...base, name: input.name }, content(input))),
  change: async (_context, current, input) => ok(withChanges(current, input)),
  fieldOf: (_customer, { taken }) => taken,
};

/** The id is part of the record base. */
function content({ id: _, ...rest }: z.output<typeof createCustomerSchema>) {
  return rest;
}

function viewOf(customer: Customer): CustomerView {
  const { name, email, phone, dni, cuit, taxCondition, address, externalId, metadata } = customer;
  return {
    ...recordMembersOf(customer),
    name,
    email,
    phone,
    dni,
    cuit,
    taxCondition,
    address,
    externalId,
    metadata: { ...metadata },
  };
}
