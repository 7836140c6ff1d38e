import type { WebhookStore } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import type { DeliveryClock } from "./delivery-rows.js";
import { asInteger } from "./rows.js";
import { postgresDeliveries } from "./webhook-deliveries.js";
import { postgresDispatch } from "./webhook-dispatch.js";
import { postgresEndpoints } from "./webhook-endpoints.js";

export function postgresWebhooks(connection: Connection, clock: DeliveryClock): WebhookStore {
  return {
    ...postgresEndpoints(connection),
    ...postgresDispatch(connection, clock),
    ...postgresDeliveries(connection, clock),
    pruneDeliveries: async (before, limit) => asInteger(await connection.call("prune_deliveries", before, limit)),
  };
}
