import type { Integration, IntegrationStore } from "@budgetkit/core/store";
import { appendAuditEntry } from "./events.js";
import type { OpenTables } from "./tables.js";

export function memoryIntegrations(open: OpenTables): IntegrationStore {
  return {
    insertIntegration: async (integration, limit = Number.POSITIVE_INFINITY, audit = null) => {
      const tables = open();
      const { integrations } = tables;
      if (integrations.of(integration.businessId).length >= limit) return "integration-limit";
      integrations.add(integration.businessId, integration.id, integration);
      appendAuditEntry(tables, audit);
      return "written";
    },

    findIntegration: async (businessId, id) => open().integrations.find(businessId, id),

    listIntegrations: async (businessId, limit, offset) => {
      const integrations = open().integrations.of(businessId).sort(newestFirst);
      return { entries: integrations.slice(offset, offset + limit), total: integrations.length, nextCursor: null };
    },

    replaceIntegration: async (integration, expectedVersion, audit = null) => {
      const tables = open();
      const { integrations } = tables;
      const stored = integrations.find(integration.businessId, integration.id);
      if (stored?.version !== expectedVersion) return "stale";
      integrations.save(integration.businessId, integration.id, integration);
      appendAuditEntry(tables, audit);
      return "written";
    },

    deleteIntegration: async (businessId, id, audit = null) => {
      const tables = open();
      const { integrations } = tables;
      if (integrations.find(businessId, id) === null) return false;
      integrations.remove(businessId, id);
      appendAuditEntry(tables, audit);
      return true;
    },
  };
}

function newestFirst(a: Integration, b: Integration): number {
  return b.createdAt - a.createdAt || Number(b.id) - Number(a.id);
}
