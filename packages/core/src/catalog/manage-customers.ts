import { ok } from "neverthrow";
import { z } from "zod";
import { description, hostId, metadata, SIZES } from "../kernel/fields.js";
import { CATALOG_SIZES, cuit, dni, name } from "./catalog-fields.js";
import type { Customer } from "./customer.js";
import { withChanges } from "./record.js";
import { type Resource, recordMembersOf, recordViewFields } from "./resource.js";

const fields = z.object({
  name,
  email: z.email().max(CATALOG_SIZES.email).nullable(),
  phone: z.string().min(1).max(CATALOG_SIZES.phone).nullable(),
  dni: dni.nullable(),
  cuit: cuit.nullable(),
  taxCondition: z.string().min(1).max(CATALOG_SIZES.taxCondition).nullable(),
  address: description.nullable(),
  externalId: z.string().min(1).max(SIZES.name).nullable(),
  metadata,
});

export const updateCustomerSchema = fields.partial().meta({ id: "UpdateCustomer" });
export const createCustomerSchema = updateCustomerSchema
  .extend({ id: hostId.optional(), name })
  .meta({ id: "CreateCustomer" });

const customerViewSchema = z
  .object({
    ...recordViewFields,
    name: z.string(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    dni: z.string().nullable(),
    cuit: z.string().nullable(),
    taxCondition: z.string().nullable(),
    address: z.string().nullable(),
    externalId: z.string().nullable(),
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

export const customers: Resource<Customer, CustomerView, typeof createCustomerSchema, typeof updateCustomerSchema> = {
  name: "customer",
  events: "customer",
  port: {
    insert: (store, ...args) => store.insertCustomer(...args),
    replace: (store, ...args) => store.replaceCustomer(...args),
    find: (store, businessId, id) => store.findCustomer(businessId, id),
    list: (store, businessId, query) => store.listCustomers(businessId, query),
  },
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
