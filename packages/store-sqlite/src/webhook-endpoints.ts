import type { WebhookEndpoint, WebhookStore } from "@budgetkit/core/store";
import type { Connection, SqlValue } from "./connection.js";
import { subscriberToFind } from "./delivery-rows.js";
import { idToFind, idToWrite } from "./ids.js";
import { asKey, KEY_COLUMNS } from "./keys.js";
import { asDocument, asInteger } from "./rows.js";
import { deliveryCanceller } from "./webhook-deliveries.js";

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
    `SELECT ${KEY_COLUMNS} FROM budgetkit_keys
     WHERE business_id = ? AND document ->> 'status' = 'ACTIVE' AND document ->> 'webhookUrl' IS NOT NULL ORDER BY id`,
  );
  const cancel = deliveryCanceller(connection);

  return {
    insertEndpoint: async (endpoint) => {
      const values = [...columnValuesOf(endpoint), idToWrite(endpoint.businessId), idToWrite(endpoint.id)];
      await connection.write(() => insert(...values));
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

    deleteEndpoint: (businessId, id, now) =>
      connection.write(() => {
        if (remove(idToFind(businessId), idToFind(id)) === 0) return false;
        cancel(subscriberToFind(businessId, { kind: "endpoint", id }), now);
        return true;
      }),

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
