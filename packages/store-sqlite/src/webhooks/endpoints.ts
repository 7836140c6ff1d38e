import { type EndpointStore, uncounted, type WebhookEndpoint } from "@budgetkit/core/store";
import { idToFind } from "@budgetkit/store-kit";
import { andThen, type ConditionHandlers, type WriteHandlers } from "../commit/handlers.js";
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

    "endpoint-removal": ({ id }, businessId) =>
      andThen(endpoints.prepareRemoval(businessId, id), (removal) =>
        uncounted(() => {
          removal.apply();
          removeReplay(idToFind(businessId), idToFind(id));
        }),
      ),

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
