import { z } from "zod";
import type { CatalogKind } from "../../catalog/catalog-commits.js";
import { customers } from "../../catalog/manage-customers.js";
import { packages } from "../../catalog/manage-packages.js";
import { products } from "../../catalog/manage-products.js";
import { getRecord, listRecords, listRecordsSchema } from "../../catalog/read-records.js";
import {
  type CreateSchema,
  type RecordDeletion,
  type RecordView,
  type Resource,
  recordDeletionSchema,
  recordListSchema,
} from "../../catalog/resource.js";
import { createRecord, deleteRecord, restoreRecord, updateRecord } from "../../catalog/write-records.js";
import type { Actor, Scope } from "../../kernel/actor.js";
import { type BaseCall, byKey, defineRoute, jsonBody, nothing, type Route, withoutBody } from "../route.js";
import { expectedVersionOf } from "./expected-version.js";

/** The paths and scopes of one kind of record. */
interface Kind {
  readonly plural: "Customers" | "Products" | "Packages";
  readonly read: Scope;
  readonly write: Scope;
}

/** The parts that the routes of one kind share. */
function partsOf<K extends CatalogKind, V extends RecordView, C extends CreateSchema, U extends z.ZodType>(
  resource: Resource<K, V, C, U>,
  { plural, read, write }: Kind,
) {
  const parameter = `${resource.kind}Id`;
  const root = `/api/public/${plural.toLowerCase()}`;
  const envelope = z.object({ data: resource.viewSchema });
  const idIn = (params: Readonly<Record<string, string>>) => params[parameter] ?? "";
  return {
    resource,
    plural,
    singular: plural.slice(0, -1),
    root,
    envelope,
    idIn,
    reading: { ...byKey(read), body: withoutBody },
    writing: { ...byKey(write), query: nothing },
    ofOne: { paths: [`${root}/{${parameter}}`] as const, params: z.object({ [parameter]: z.string() }) },
    success: { status: 200, schema: envelope, headers: ["etag"] } as const,
    replyOf: (data: V) => ({ body: { data }, version: data.version }),
    /** The version that If-Match allows a write to replace. */
    expectedIn: (call: BaseCall, actor: Actor, id: string): Promise<number | null> =>
      expectedVersionOf(call, async () => {
        const current = await getRecord(call.context.catalog, actor, resource, id);
        return current.isOk() ? current.value.version : null;
      }),
  };
}

type Parts<K extends CatalogKind, V extends RecordView, C extends CreateSchema, U extends z.ZodType> = ReturnType<
  typeof partsOf<K, V, C, U>
>;

function recordRoutes<K extends CatalogKind, V extends RecordView, C extends CreateSchema, U extends z.ZodType>(
  resource: Resource<K, V, C, U>,
  kind: Kind,
): readonly Route[] {
  const parts = partsOf(resource, kind);
  return [...readRoutes(parts), ...contentRoutes(parts), ...deletionRoutes(parts)];
}

/** List and get. */
function readRoutes<K extends CatalogKind, V extends RecordView, C extends CreateSchema, U extends z.ZodType>({
  resource,
  plural,
  singular,
  root,
  reading,
  ofOne,
  success,
  idIn,
  replyOf,
}: Parts<K, V, C, U>): readonly Route[] {
  return [
    defineRoute({
      ...reading,
      operationId: `list${plural}`,
      summary: `List ${plural.toLowerCase()}, with search and sorting`,
      method: "GET",
      paths: [root],
      params: nothing,
      query: listRecordsSchema,
      success: { status: 200, schema: recordListSchema(resource.viewSchema) },
      refusals: [],
      handler: async ({ context, actor, query }) =>
        (await listRecords(context.catalog, actor, resource, query)).map((body) => ({ body })),
    }),
    defineRoute({
      ...reading,
      ...ofOne,
      operationId: `get${singular}`,
      summary: `Get a ${resource.kind}`,
      method: "GET",
      query: nothing,
      success,
      refusals: [404],
      handler: async ({ context, actor, params }) =>
        (await getRecord(context.catalog, actor, resource, idIn(params))).map(replyOf),
    }),
  ];
}

/** Create and update. */
function contentRoutes<K extends CatalogKind, V extends RecordView, C extends CreateSchema, U extends z.ZodType>({
  resource,
  singular,
  root,
  envelope,
  writing,
  ofOne,
  success,
  idIn,
  replyOf,
  expectedIn,
}: Parts<K, V, C, U>): readonly Route[] {
  return [
    defineRoute({
      ...writing,
      operationId: `create${singular}`,
      summary: `Create a ${resource.kind}`,
      method: "POST",
      paths: [root],
      params: nothing,
      body: jsonBody(resource.createSchema),
      success: { status: 201, schema: envelope, headers: ["etag", "location"] },
      refusals: [409, 422],
      idempotent: true,
      handler: ({ context, actor, body, commit }) =>
        commit(
          (data: V) => ({ ...replyOf(data), location: `${root}/${data.id}` }),
          (options) => createRecord(context.catalog, actor, resource, body, options),
        ),
    }),
    defineRoute({
      ...writing,
      ...ofOne,
      operationId: `update${singular}`,
      summary: `Change the given fields of a ${resource.kind}`,
      method: "PUT",
      body: jsonBody(resource.updateSchema),
      success,
      refusals: [404, 409, 412, 422],
      handler: (call) => {
        const { context, actor, params, body, commit } = call;
        const id = idIn(params);
        return commit(replyOf, async (options) => {
          const expectedVersion = await expectedIn(call, actor, id);
          return updateRecord(context.catalog, actor, resource, id, body, { ...options, expectedVersion });
        });
      },
    }),
  ];
}

/** Delete and restore. */
function deletionRoutes<K extends CatalogKind, V extends RecordView, C extends CreateSchema, U extends z.ZodType>({
  resource,
  singular,
  writing,
  ofOne,
  success,
  idIn,
  replyOf,
  expectedIn,
}: Parts<K, V, C, U>): readonly Route[] {
  return [
    defineRoute({
      ...writing,
      ...ofOne,
      operationId: `delete${singular}`,
      summary: `Delete a ${resource.kind}; it can be restored`,
      method: "DELETE",
      body: withoutBody,
      success: { status: 200, schema: z.object({ data: recordDeletionSchema, message: z.string() }) },
      refusals: [404, 409, 412],
      handler: (call) => {
        const { context, actor, params, commit } = call;
        const id = idIn(params);
        return commit(
          (data: RecordDeletion) => ({ body: { data, message: `${singular} deleted. It can be restored.` } }),
          async (options) => {
            const expectedVersion = await expectedIn(call, actor, id);
            return deleteRecord(context.catalog, actor, resource, id, { ...options, expectedVersion });
          },
        );
      },
    }),
    defineRoute({
      ...writing,
      ...ofOne,
      operationId: `restore${singular}`,
      summary: `Restore a deleted ${resource.kind}`,
      method: "POST",
      paths: [`${ofOne.paths[0]}/restore`],
      body: withoutBody,
      success,
      refusals: [404, 409, 412, 422],
      idempotent: true,
      handler: (call) => {
        const { context, actor, params, commit } = call;
        const id = idIn(params);
        return commit(replyOf, async (options) => {
          const expectedVersion = await expectedIn(call, actor, id);
          return restoreRecord(context.catalog, actor, resource, id, { ...options, expectedVersion });
        });
      },
    }),
  ];
}

export const catalogRoutes: readonly Route[] = [
  ...recordRoutes(customers, { plural: "Customers", read: "READ_CUSTOMERS", write: "WRITE_CUSTOMERS" }),
  ...recordRoutes(products, { plural: "Products", read: "READ_PRODUCTS", write: "WRITE_PRODUCTS" }),
  ...recordRoutes(packages, { plural: "Packages", read: "READ_PRODUCTS", write: "WRITE_PRODUCTS" }),
];
