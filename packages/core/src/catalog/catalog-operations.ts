import type { z } from "zod";
import type { WriteOptions } from "../idempotency/write-options.js";
import type { Actor } from "../kernel/actor.js";
import { asQueryText, type Call, type CallOptions, type ContextFor, type Query } from "../kernel/call.js";
import type { CatalogKind } from "./catalog-commits.js";
import {
  type CreateCustomer,
  type CustomerView,
  type createCustomerSchema,
  customers,
  type UpdateCustomer,
  type updateCustomerSchema,
} from "./manage-customers.js";
import {
  type CreatePackage,
  type createPackageSchema,
  type PackageView,
  packages,
  type UpdatePackage,
  type updatePackageSchema,
} from "./manage-packages.js";
import {
  type CreateProduct,
  type createProductSchema,
  type ProductView,
  products,
  type UpdateProduct,
  type updateProductSchema,
} from "./manage-products.js";
import { getRecord, listRecords, listRecordsSchema } from "./read-records.js";
import type { CatalogContext, CreateSchema, RecordView, Resource } from "./resource.js";
import { createRecord, deleteRecord, restoreRecord, updateRecord } from "./write-records.js";

/** The operations on one kind of record that a host calls in process. Inputs are checked as over HTTP. */
function operationsOn<
  K extends CatalogKind,
  V extends RecordView,
  C extends CreateSchema,
  U extends z.ZodType,
  New extends z.input<C>,
  Changes extends z.input<U>,
>(resource: Resource<K, V, C, U>, contextFor: ContextFor<CatalogContext>, call: Call) {
  const { createSchema, updateSchema } = resource;
  type Options = WriteOptions & CallOptions;
  return {
    create: (actor: Actor, input: New, options?: Options) =>
      call.with(actor, createSchema, input, (parsed) =>
        createRecord(contextFor(options), actor, resource, parsed, options),
      ),
    get: (actor: Actor, id: string, options?: CallOptions) =>
      call.plain(actor, () => getRecord(contextFor(options), actor, resource, id)),
    list: (actor: Actor, query: Query<typeof listRecordsSchema> = {}, options?: CallOptions) =>
      call.with(actor, listRecordsSchema, asQueryText(query), (parsed) =>
        listRecords(contextFor(options), actor, resource, parsed),
      ),
    update: (actor: Actor, id: string, input: Changes, options?: Options) =>
      call.with(actor, updateSchema, input, (parsed) =>
        updateRecord(contextFor(options), actor, resource, id, parsed, options),
      ),
    delete: (actor: Actor, id: string, options?: WriteOptions & CallOptions) =>
      call.plain(actor, () => deleteRecord(contextFor(options), actor, resource, id, options)),
    restore: (actor: Actor, id: string, options?: Options) =>
      call.plain(actor, () => restoreRecord(contextFor(options), actor, resource, id, options)),
  };
}

/** Operations on customers, products and packages. The caller is responsible for the actor. */
export function createCatalogOperations(contextFor: ContextFor<CatalogContext>, call: Call) {
  return {
    /** Operations on customers. */
    customers: operationsOn<
      "customer",
      CustomerView,
      typeof createCustomerSchema,
      typeof updateCustomerSchema,
      CreateCustomer,
      UpdateCustomer
    >(customers, contextFor, call),
    /** Operations on products. */
    products: operationsOn<
      "product",
      ProductView,
      typeof createProductSchema,
      typeof updateProductSchema,
      CreateProduct,
      UpdateProduct
    >(products, contextFor, call),
    /** Operations on packages. */
    packages: operationsOn<
      "package",
      PackageView,
      typeof createPackageSchema,
      typeof updatePackageSchema,
      CreatePackage,
      UpdatePackage
    >(packages, contextFor, call),
  };
}
export type CatalogOperations = ReturnType<typeof createCatalogOperations>;
