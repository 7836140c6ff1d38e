import {
  type Change,
  type EndpointStore,
  type Instant,
  type Refusal,
  uncounted,
  type WebhookEndpoint,
  type WebhookStore,
} from "@budgetkit/core/store";
import { memoryReplays } from "./replays.js";
import type { OpenTables, Tables } from "./tables.js";
import { memoryDeliveries } from "./webhook-deliveries.js";
import { memoryDispatch } from "./webhook-dispatch.js";
import type { WriteOf } from "./write-of.js";

export function memoryWebhooks(open: OpenTables): WebhookStore {
  return { ...memoryEndpoints(open), ...memoryDispatch(open), ...memoryDeliveries(open), ...memoryReplays(open) };
}

function memoryEndpoints(open: OpenTables): EndpointStore {
  return {
    findEndpoint: async (businessId, id) => open().endpoints.find(businessId, id),

    listEndpoints: async (businessId, limit, offset) => {
      const endpoints = open().endpoints.of(businessId).sort(newestFirst);
      return { entries: endpoints.slice(offset, offset + limit), total: endpoints.length, nextCursor: null };
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

export function endpointChange({ endpoints }: Tables, { endpoint, expected }: WriteOf<"endpoint">): Change | Refusal {
  const { businessId, id } = endpoint;
  if (expected === "absent") endpoints.assertFree(businessId, id);
  else if (endpoints.find(businessId, id)?.version !== expected) return "stale";
  return uncounted(() => endpoints.save(businessId, id, endpoint));
}

/** The replay of the endpoint is removed with it. */
export function endpointRemoval({ endpoints, replays }: Tables, businessId: string, id: string): Change | Refusal {
  if (endpoints.find(businessId, id) === null) return "missing";
  return uncounted(() => {
    endpoints.remove(businessId, id);
    replays.remove(businessId, id);
  });
}

function newestFirst(a: WebhookEndpoint, b: WebhookEndpoint): number {
  return b.createdAt - a.createdAt || Number(b.id) - Number(a.id);
}
