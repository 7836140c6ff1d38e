import { type EndpointStore, isRefusal, type WebhookEndpoint } from "@budgetkit/core/store";
import { idToFind } from "@budgetkit/store-kit";
import type { ConditionHandlers, WriteHandlers } from "../commit/handlers.js";
import { documentTable } from "../commit/versioned-documents.js";
import type { Connection } from "../engine/connection.js";
import { deliveryWriter } from "./delivery-moves.js";

const endpointsOn = (connection: Connection) =>
  documentTable<WebhookEndpoint>(connection, "budgetkit_endpoints", { status: ({ status }) => status });

export function sqliteEndpoints(connection: Connection): Pick<EndpointStore, "findEndpoint" | "listEndpoints"> {
  const endpoints = endpointsOn(connection);
  return { findEndpoint: endpoints.find, listEndpoints: endpoints.list };
}

export function webhookWrites(
  connection: Connection,
): Pick<WriteHandlers, "endpoint" | "endpoint-removal" | "delivery"> {
  const endpoints = endpointsOn(connection);
  const removeReplay = connection.command("DELETE FROM budgetkit_replays WHERE business_id = ? AND endpoint_id = ?");
  const prepareDeliveries = deliveryWriter(connection);
  return {
    endpoint: ({ endpoint, expected }) => endpoints.prepare(endpoint, expected),

    "endpoint-removal": ({ id }, businessId) => {
      const inspect = endpoints.prepareRemoval(businessId, id);
      return () => {
        const removal = inspect();
        if (isRefusal(removal)) return removal;
        const apply = () => {
          removal.apply();
          removeReplay(idToFind(businessId), idToFind(id));
        };
        return { ...removal, apply };
      };
    },

    delivery: ({ delivery }) => {
      const add = prepareDeliveries([delivery]);
      return () => ({ added: { deliveryBytes: add.bytes }, apply: add });
    },
  };
}

export function webhookConditions(connection: Connection): Pick<ConditionHandlers, "endpoints-below"> {
  const endpoints = endpointsOn(connection);
  return {
    "endpoints-below": ({ limit }, businessId) => (endpoints.count(businessId) < limit ? null : "webhook-limit"),
  };
}
