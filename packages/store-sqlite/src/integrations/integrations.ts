import {
  asDocument,
  asInteger,
  type Integration,
  type IntegrationStore,
  idToFind,
  idToWrite,
} from "@budgetkit/core/store";
import type { Connection, SqlValue } from "../engine/connection.js";
import { auditWriter } from "../events/events.js";

export function sqliteIntegrations(connection: Connection): IntegrationStore {
  const insert = connection.command(
    "INSERT INTO budgetkit_integrations (version, created_at, document, business_id, id) VALUES (?, ?, ?, ?, ?)",
  );
  const replace = connection.command(
    `UPDATE budgetkit_integrations SET version = ?, created_at = ?, document = ?
     WHERE business_id = ? AND id = ? AND version = ?`,
  );
  const remove = connection.command("DELETE FROM budgetkit_integrations WHERE business_id = ? AND id = ?");
  const find = connection.value("SELECT document FROM budgetkit_integrations WHERE business_id = ? AND id = ?");
  const count = connection.value("SELECT count(*) FROM budgetkit_integrations WHERE business_id = ?");
  const list = connection.values(
    `SELECT document FROM budgetkit_integrations WHERE business_id = ?
     ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
  );
  const writeAudit = auditWriter(connection);

  return {
    insertIntegration: async (integration, limit = Number.POSITIVE_INFINITY, audit = null) => {
      const business = idToWrite(integration.businessId);
      const values = [...columnValuesOf(integration), business, idToWrite(integration.id)];
      const appendAudit = writeAudit(audit);
      return connection.write(() => {
        if (asInteger(count(business)) >= limit) return "integration-limit";
        insert(...values);
        appendAudit();
        return "written";
      });
    },

    findIntegration: (businessId, id) =>
      connection.read(() => {
        const document = find(idToFind(businessId), idToFind(id));
        return document === undefined ? null : asIntegration(document);
      }),

    listIntegrations: (businessId, limit, offset) =>
      connection.snapshot(() => {
        const business = idToFind(businessId);
        const entries = list(business, limit, offset).map(asIntegration);
        return { entries, total: asInteger(count(business)), nextCursor: null };
      }),

    replaceIntegration: async (integration, expectedVersion, audit = null) => {
      const row = [idToFind(integration.businessId), idToFind(integration.id), expectedVersion];
      const values = [...columnValuesOf(integration), ...row];
      const appendAudit = writeAudit(audit);
      return connection.write(() => {
        if (replace(...values) === 0) return "stale";
        appendAudit();
        return "written";
      });
    },

    deleteIntegration: async (businessId, id, audit = null) => {
      const appendAudit = writeAudit(audit);
      return connection.write(() => {
        if (remove(idToFind(businessId), idToFind(id)) === 0) return false;
        appendAudit();
        return true;
      });
    },
  };
}

function columnValuesOf(integration: Integration): SqlValue[] {
  return [integration.version, integration.createdAt, JSON.stringify(integration)];
}

function asIntegration(document: unknown): Integration {
  return asDocument<Integration>(document);
}
