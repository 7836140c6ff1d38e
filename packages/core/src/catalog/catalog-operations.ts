import type { z } from "zod";
import type { WriteOptions } from "../idempotency/write-options.js";
import type { Actor } from "../kernel/actor.js";
import { asQueryText, type Call, type Query } from "../kernel/call.js";
import type { CatalogContext } from "./catalog-context.js";
import { customers } from "./manage-customers.js";
import { packages } from "./manage-packages.js";
import { products } from "./manage-products.js";
import { getRecord, listRecords, listRecordsSchema } from "./read-records.js";
import type { CatalogRecord } from "./record.js";
import type { CreateSchema, RecordDeletion, RecordView, Resource } from "./resource.js";
import { createRecord, deleteRecord, restoreRecord, updateRecord } from "./write-records.js";

/** The operations on one kind of record as a host calls them without HTTP; inputs are checked the same way. */
function operationsOn<R extends CatalogRecord, V extends RecordView, C extends CreateSchema, U extends z.ZodType>(
  resource: Resource<R, V, C, U>,
  context: CatalogContext,
  call: Call,
) {
  const { createSchema, updateSchema } = resource;
  type Options = WriteOptions<V>;
  return {
    create: (actor: Actor, input: z.input<C>, options?: Options) =>
      call.with(createSchema, input, (parsed) => createRecord(context, actor, resource, parsed, options)),
    get: (actor: Actor, id: string) => call.plain(() => getRecord(context, actor, resource, id)),
    list: (actor: Actor, query: Query<typeof listRecordsSchema> = {}) =>
      call.with(listRecordsSchema, asQueryText(query), (parsed) => listRecords(context, actor, resource, parsed)),
    update: (actor: Actor, id: string, input: z.input<U>, options?: Options) =>
      call.with(updateSchema, input, (parsed) => updateRecord(context, actor, resource, id, parsed, options)),
    delete: (actor: Actor, id: string, options?: WriteOptions<RecordDeletion>) =>
      call.plain(() => deleteRecord(context, actor, resource, id, options)),
    restore: (actor: Actor, id: string, options?: Options) =>
      call.plain(() => restoreRecord(context, actor, resource, id, options)),
  };
}

/** Customers, and products with their variants and packages. The host vouches for the actor. */
export function createCatalogOperations(context: CatalogContext, call: Call) {
  return {
    customers: operationsOn(customers, context, call),
    products: operationsOn(products, context, call),
    packages: operationsOn(packages, context, call),
  };
}
export type CatalogOperations = ReturnType<typeof createCatalogOperations>;
