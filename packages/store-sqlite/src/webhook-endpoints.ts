import type { WebhookEndpoint, WebhookStore } from "@budgetkit/core/store";
import type { Connection, SqlValue } from "./connection.js";
import { idToFind, idToWrite } from "./ids.js";
import { asKey, KEY_COLUMNS, WITH_WEBHOOK } from "./keys.js";
import { asDocument, asInteger } from "./rows.js";

type EndpointMethods =
  | "insertEndpoint"
  | "findEndpoint"
  | "listEndpoints"
  | "replaceEndpoint"
  | "deleteEndpoint"
  | "findSubscribers";

export function sqliteEndpoints(connection: Connection): Pick<WebhookStore, EndpointMethods> {
  const insert = connection.command(
    `INSERT INTO budgetkit_endpoints (version, status, created_at, document, business_id, id)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const replace = connection.command(
    `UPDATE budgetkit_endpoints SET version = ?, status = ?, created_at = ?, document = ?
     WHERE business_id = ? AND id = ? AND version = ?`,
  );
  const remove = connection.command("DELETE FROM budgetkit_endpoints WHERE business_id = ? AND id = ?");
  const find = connection.value("SELECT document FROM budgetkit_endpoints WHERE business_id = ? AND id = ?");
  const count = connection.value("SELECT count(*) FROM budgetkit_endpoints WHERE business_id = ?");
  const list = connection.values(
    `SELECT document FROM budgetkit_endpoints WHERE business_id = ?
     ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
  );
  const findActive = connection.values(
    "SELECT document FROM budgetkit_endpoints WHERE business_id = ? AND status = 'ACTIVE' ORDER BY id",
  );
  const findKeys = connection.rows(
    `SELECT ${KEY_COLUMNS} FROM budgetkit_keys WHERE business_id = ? AND ${WITH_WEBHOOK} ORDER BY id`,
  );

  return {
    insertEndpoint: async (endpoint, limit = Number.POSITIVE_INFINITY) => {
      const business = idToWrite(endpoint.businessId);
      const values = [...columnValuesOf(endpoint), business, idToWrite(endpoint.id)];
      return connection.write(() => {
        if (asInteger(count(business)) >= limit) return "full";
        insert(...values);
        return "written";
      });
    },

    findEndpoint: (businessId, id) =>
      connection.read(() => {
        const document = find(idToFind(businessId), idToFind(id));
        return document === undefined ? null : asEndpoint(document);
      }),

    listEndpoints: (businessId, limit, offset) =>
      connection.snapshot(() => {
        const business = idToFind(businessId);
        const entries = list(business, limit, offset).map(asEndpoint);
        return { entries, total: asInteger(count(business)), nextCursor: null };
      }),

    replaceEndpoint: async (endpoint, expectedVersion) => {
      const row = [idToFind(endpoint.businessId), idToFind(endpoint.id), expectedVersion];
      const values = [...columnValuesOf(endpoint), ...row];
      return connection.write(() => (replace(...values) === 1 ? "written" : "stale"));
    },

    deleteEndpoint: (businessId, id) => connection.write(() => remove(idToFind(businessId), idToFind(id)) === 1),

    findSubscribers: (businessId) =>
      connection.snapshot(() => {
        const business = idToFind(businessId);
        return { endpoints: findActive(business).map(asEndpoint), keys: findKeys(business).map(asKey) };
      }),
  };
}

function columnValuesOf(endpoint: WebhookEndpoint): SqlValue[] {
  return [endpoint.version, endpoint.status, endpoint.createdAt, JSON.stringify(endpoint)];
}

function asEndpoint(document: unknown): WebhookEndpoint {
  return asDocument<WebhookEndpoint>(document);
}
