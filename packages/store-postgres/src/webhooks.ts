import type { WebhookStore } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import { asInteger } from "./rows.js";
import type { StoreClock } from "./store-clock.js";
import { postgresDeliveries } from "./webhook-deliveries.js";
import { postgresDispatch } from "./webhook-dispatch.js";
import { postgresEndpoints } from "./webhook-endpoints.js";

export function postgresWebhooks(connection: Connection, clock: StoreClock): WebhookStore {
  return {
    ...postgresEndpoints(connection),
    ...postgresDispatch(connection, clock),
    ...postgresDeliveries(connection, clock),
    pruneDeliveries: async (before, limit) => asInteger(await connection.call("prune_deliveries", before, limit)),
  };
}
