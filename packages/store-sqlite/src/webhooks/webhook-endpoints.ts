import {
  asDocument,
  asInteger,
  asKey,
  type EndpointStore,
  idToFind,
  idToWrite,
  KEY_COLUMNS,
  type WebhookEndpoint,
} from "@budgetkit/core/store";
import type { Connection, SqlValue } from "../engine/connection.js";
import { auditWriter, WITH_WEBHOOK } from "../events/events.js";

export function sqliteEndpoints(connection: Connection): EndpointStore {
  const insert = connection.command(
    `INSERT INTO budgetkit_endpoints (version, status, created_at, document, business_id, id)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const replace = connection.command(
    `UPDATE budgetkit_endpoints SET version = ?, status = ?, created_at = ?, document = ?
     WHERE business_id = ? AND id = ? AND version = ?`,
  );
  const remove = connection.command("DELETE FROM budgetkit_endpoints WHERE business_id = ? AND id = ?");
  const removeReplay = connection.command("DELETE FROM budgetkit_replays WHERE business_id = ? AND endpoint_id = ?");
  const find = connection.value("SELECT document FROM budgetkit_endpoints WHERE business_id = ? AND id = ?");
  const count = connection.value("SELECT count(*) FROM budgetkit_endpoints WHERE business_id = ?");
  const list = connection.values(
    `SELECT document FROM budgetkit_endpoints WHERE business_id = ?
     ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
  );
  const writeAudit = auditWriter(connection);

  return {
    insertEndpoint: async (endpoint, limit = Number.POSITIVE_INFINITY, audit = null) => {
      const business = idToWrite(endpoint.businessId);
      const values = [...columnValuesOf(endpoint), business, idToWrite(endpoint.id)];
      const appendAudit = writeAudit(audit);
      return connection.write(() => {
        if (asInteger(count(business)) >= limit) return "webhook-limit";
        insert(...values);
        appendAudit();
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

    replaceEndpoint: async (endpoint, expectedVersion, audit = null) => {
      const row = [idToFind(endpoint.businessId), idToFind(endpoint.id), expectedVersion];
      const values = [...columnValuesOf(endpoint), ...row];
      const appendAudit = writeAudit(audit);
      return connection.write(() => {
        if (replace(...values) === 0) return "stale";
        appendAudit();
        return "written";
      });
    },

    deleteEndpoint: async (businessId, id, audit = null) => {
      const appendAudit = writeAudit(audit);
      return connection.write(() => {
        const key = [idToFind(businessId), idToFind(id)] as const;
        if (remove(...key) === 0) return false;
        removeReplay(...key);
        appendAudit();
        return true;
      });
    },

    ...subscriberMethods(connection),
  };
}

/** What concerns endpoints and keys with a URL alike. */
function subscriberMethods(connection: Connection): Pick<EndpointStore, "clearReplacedSecrets" | "findSubscribers"> {
  const findActive = connection.values(
    "SELECT document FROM budgetkit_endpoints WHERE business_id = ? AND status = 'ACTIVE' ORDER BY id",
  );
  const findKeys = connection.rows(
    `SELECT ${KEY_COLUMNS} FROM budgetkit_keys WHERE business_id = ? AND ${WITH_WEBHOOK} ORDER BY id`,
  );
  const clearings = [
    clearing("budgetkit_keys", "previousSealedWebhookSecret", "previousWebhookSecretUntil"),
    clearing("budgetkit_endpoints", "previousSealedSecret", "previousSecretUntil"),
  ].map((sql) => connection.command(sql));

  return {
    clearReplacedSecrets: (now, limit) =>
      connection.write(() => clearings.reduce((cleared, clear) => cleared + clear(now, limit), 0)),

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

/** Clears the expired secrets of a table. `secret` and `until` are fields of its documents. */
function clearing(table: string, secret: string, until: string): string {
  return `UPDATE ${table} SET document = json_set(document, '$.${secret}', NULL, '$.${until}', NULL)
    WHERE rowid IN (
      SELECT rowid FROM ${table}
      WHERE document ->> '${until}' IS NOT NULL AND document ->> '${until}' <= ? LIMIT ?
    )`;
}
