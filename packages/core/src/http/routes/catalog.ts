import { z } from "zod";
import { customers } from "../../catalog/manage-customers.js";
import { packages } from "../../catalog/manage-packages.js";
import { products } from "../../catalog/manage-products.js";
import { getRecord, listRecords, listRecordsSchema } from "../../catalog/read-records.js";
import type { CatalogRecord } from "../../catalog/record.js";
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
import { type BaseCall, defineRoute, jsonBody, noBody, nothing, type Route } from "../route.js";
import { expectedVersionOf } from "./expected-version.js";

/** Where the records of a kind are, and which scopes lead there. */
interface Place {
  readonly plural: "Customers" | "Products" | "Packages";
  readonly read: Scope;
  readonly write: Scope;
}

/** The five operations on one kind of record, and the way back from a deletion. */
function recordRoutes<R extends CatalogRecord, V extends RecordView, C extends CreateSchema, U extends z.ZodType>(
  resource: Resource<R, V, C, U>,
  { plural, read, write }: Place,
): readonly Route[] {
  const { name } = resource;
  const singular = plural.slice(0, -1);
  const parameter = `${name}Id`;
  const root = `/api/public/${plural.toLowerCase()}`;
  const path = `${root}/{${parameter}}`;
  const surface = "public";
  const reading = { kind: "key", scope: read } as const;
  const writing = { kind: "key", scope: write } as const;
  const params = z.object({ [parameter]: z.string() });
  const envelope = z.object({ data: resource.viewSchema });
  const success = { status: 200, schema: envelope, headers: ["etag"] } as const;
  const replyOf = (data: V) => ({ body: { data }, version: data.version });
  const idIn = (found: Readonly<Record<string, string>>) => found[parameter] ?? "";

  /** The version that If-Match allows a write to replace. */
  function expectedIn(call: BaseCall, actor: Actor, id: string): Promise<number | null> {
    return expectedVersionOf(call, async () => {
      const current = await getRecord(call.context.catalog, actor, resource, id);
      return current.isOk() ? current.value.version : null;
    });
  }

  return [
    defineRoute({
      operationId: `list${plural}`,
      summary: `List ${plural.toLowerCase()}, searched and ordered`,
      method: "GET",
      paths: [root],
      surface,
      auth: reading,
      params: nothing,
      query: listRecordsSchema,
      body: noBody,
      success: { status: 200, schema: recordListSchema(resource.viewSchema) },
      refusals: [],
      handler: async ({ context, actor, query }) =>
        (await listRecords(context.catalog, actor, resource, query)).map((body) => ({ body })),
    }),
    defineRoute({
      operationId: `get${singular}`,
      summary: `One ${name}`,
      method: "GET",
      paths: [path],
      surface,
      auth: reading,
      params,
      query: nothing,
      body: noBody,
      success,
      refusals: [404],
      handler: async ({ context, actor, params: found }) =>
        (await getRecord(context.catalog, actor, resource, idIn(found))).map(replyOf),
    }),
    defineRoute({
      operationId: `create${singular}`,
      summary: `Create a ${name}`,
      method: "POST",
      paths: [root],
      surface,
      auth: writing,
      params: nothing,
      query: nothing,
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
      operationId: `update${singular}`,
      summary: `Change a ${name}: the fields that are given`,
      method: "PUT",
      paths: [path],
      surface,
      auth: writing,
      params,
      query: nothing,
      body: jsonBody(resource.updateSchema),
      success,
      refusals: [404, 409, 412, 422],
      handler: async (call) => {
        const { context, actor, params: found, body, commit } = call;
        const expected = await expectedIn(call, actor, idIn(found));
        return commit(replyOf, (options) =>
          updateRecord(context.catalog, actor, resource, idIn(found), body, { ...options, expectedVersion: expected }),
        );
      },
    }),
    defineRoute({
      operationId: `delete${singular}`,
      summary: `Delete a ${name} softly`,
      method: "DELETE",
      paths: [path],
      surface,
      auth: writing,
      params,
      query: nothing,
      body: noBody,
      success: { status: 200, schema: z.object({ data: recordDeletionSchema, message: z.string() }) },
      refusals: [404, 409, 412],
      handler: async (call) => {
        const { context, actor, params: found, commit } = call;
        const expected = await expectedIn(call, actor, idIn(found));
        return commit(
          (data: RecordDeletion) => ({ body: { data, message: `${singular} deleted. It can be restored.` } }),
          (options) =>
            deleteRecord(context.catalog, actor, resource, idIn(found), { ...options, expectedVersion: expected }),
        );
      },
    }),
    defineRoute({
      operationId: `restore${singular}`,
      summary: `Bring a deleted ${name} back`,
      method: "POST",
      paths: [`${path}/restore`],
      surface,
      auth: writing,
      params,
      query: nothing,
      body: noBody,
      success,
      refusals: [404, 409, 412, 422],
      idempotent: true,
      handler: async (call) => {
        const { context, actor, params: found, commit } = call;
        const expected = await expectedIn(call, actor, idIn(found));
        return commit(replyOf, (options) =>
          restoreRecord(context.catalog, actor, resource, idIn(found), { ...options, expectedVersion: expected }),
        );
      },
    }),
  ];
}

export const catalogRoutes: readonly Route[] = [
  ...recordRoutes(customers, { plural: "Customers", read: "READ_CUSTOMERS", write: "WRITE_CUSTOMERS" }),
  ...recordRoutes(products, { plural: "Products", read: "READ_PRODUCTS", write: "WRITE_PRODUCTS" }),
  ...recordRoutes(packages, { plural: "Packages", read: "READ_PRODUCTS", write: "WRITE_PRODUCTS" }),
];
