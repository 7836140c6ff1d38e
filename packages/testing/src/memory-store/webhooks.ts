import type { EndpointStore, Instant, WebhookEndpoint, WebhookStore } from "@budgetkit/core/store";
import { appendAuditEntry } from "./events.js";
import { memoryReplays } from "./replays.js";
import type { OpenTables } from "./tables.js";
import { memoryDeliveries } from "./webhook-deliveries.js";
import { memoryDispatch } from "./webhook-dispatch.js";

export function memoryWebhooks(open: OpenTables): WebhookStore {
  return { ...memoryEndpoints(open), ...memoryDispatch(open), ...memoryDeliveries(open), ...memoryReplays(open) };
}

function memoryEndpoints(open: OpenTables): EndpointStore {
  return {
    insertEndpoint: async (endpoint, limit = Number.POSITIVE_INFINITY, audit = null) => {
      const tables = open();
      if (tables.endpoints.of(endpoint.businessId).length >= limit) return "webhook-limit";
      tables.endpoints.add(endpoint.businessId, endpoint.id, endpoint);
      appendAuditEntry(tables, audit);
      return "written";
    },

    findEndpoint: async (businessId, id) => open().endpoints.find(businessId, id),

    listEndpoints: async (businessId, limit, offset) => {
      const endpoints = open().endpoints.of(businessId).sort(newestFirst);
      return { entries: endpoints.slice(offset, offset + limit), total: endpoints.length, nextCursor: null };
    },

    replaceEndpoint: async (endpoint, expectedVersion, audit = null) => {
      const tables = open();
      const stored = tables.endpoints.find(endpoint.businessId, endpoint.id);
      if (stored?.version !== expectedVersion) return "stale";
      tables.endpoints.save(endpoint.businessId, endpoint.id, endpoint);
      appendAuditEntry(tables, audit);
      return "written";
    },

    deleteEndpoint: async (businessId, id, audit = null) => {
      const tables = open();
      if (tables.endpoints.find(businessId, id) === null) return false;
      tables.endpoints.remove(businessId, id);
      tables.replays.remove(businessId, id);
      appendAuditEntry(tables, audit);
      return true;
    },

    clearReplacedSecrets: async (now, limit) => {
      const { keys, endpoints } = open();
      const isPast = (until: Instant | null) => until !== null && until <= now;
      const oldKeys = keys.all().filter((key) => isPast(key.previousWebhookSecretUntil));
      const oldEndpoints = endpoints.all().filter((endpoint) => isPast(endpoint.previousSecretUntil));
      for (const key of oldKeys.slice(0, limit)) {
        const cleared = { previousSealedWebhookSecret: null, previousWebhookSecretUntil: null };
        keys.save(key.businessId, key.id, { ...key, ...cleared });
      }
      for (const endpoint of oldEndpoints.slice(0, limit)) {
        const cleared = { previousSealedSecret: null, previousSecretUntil: null };
        endpoints.save(endpoint.businessId, endpoint.id, { ...endpoint, ...cleared });
      }
      return Math.min(oldKeys.length, limit) + Math.min(oldEndpoints.length, limit);
    },

    findSubscribers: async (businessId) => {
      const tables = open();
      return {
        endpoints: tables.endpoints.of(businessId).filter((endpoint) => endpoint.status === "ACTIVE"),
        keys: tables.keys.of(businessId).filter((key) => key.status === "ACTIVE" && key.webhookUrl !== null),
      };
    },
  };
}

function newestFirst(a: WebhookEndpoint, b: WebhookEndpoint): number {
  return b.createdAt - a.createdAt || Number(b.id) - Number(a.id);
}
