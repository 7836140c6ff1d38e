import type { WebhookEndpoint } from "../../webhooks/endpoint.js";
import type { WebhookStore } from "../../webhooks/webhook-store.js";
import type { OpenTables } from "./tables.js";
import { cancelUnfinished, memoryDeliveries } from "./webhook-deliveries.js";
import { memoryDispatch } from "./webhook-dispatch.js";

export function memoryWebhooks(open: OpenTables): WebhookStore {
  return { ...memoryEndpoints(open), ...memoryDispatch(open), ...memoryDeliveries(open) };
}

type EndpointMethods =
  | "insertEndpoint"
  | "findEndpoint"
  | "listEndpoints"
  | "replaceEndpoint"
  | "deleteEndpoint"
  | "findSubscribers";

function memoryEndpoints(open: OpenTables): Pick<WebhookStore, EndpointMethods> {
  return {
    insertEndpoint: async (endpoint) => open().endpoints.add(endpoint.businessId, endpoint.id, endpoint),

    findEndpoint: async (businessId, id) => open().endpoints.find(businessId, id),

    listEndpoints: async (businessId, limit, offset) => {
      const endpoints = open().endpoints.of(businessId).sort(newestFirst);
      return { entries: endpoints.slice(offset, offset + limit), total: endpoints.length, nextCursor: null };
    },

    replaceEndpoint: async (endpoint, expectedVersion) => {
      const { endpoints } = open();
      const stored = endpoints.find(endpoint.businessId, endpoint.id);
      if (stored?.version !== expectedVersion) return "stale";
      endpoints.save(endpoint.businessId, endpoint.id, endpoint);
      return "written";
    },

    deleteEndpoint: async (businessId, id, now) => {
      const tables = open();
      if (tables.endpoints.find(businessId, id) === null) return false;
      tables.endpoints.remove(businessId, id);
      cancelUnfinished(tables, businessId, { kind: "endpoint", id }, now);
      return true;
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
