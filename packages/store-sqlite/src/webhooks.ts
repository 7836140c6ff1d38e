import type { WebhookStore } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import { sqliteReplacedSecrets } from "./replaced-secrets.js";
import { sqliteDeliveries } from "./webhook-deliveries.js";
import { sqliteDispatch } from "./webhook-dispatch.js";
import { sqliteEndpoints } from "./webhook-endpoints.js";
import { sqlitePruning } from "./webhook-pruning.js";

export function sqliteWebhooks(connection: Connection): WebhookStore {
  return {
    ...sqliteEndpoints(connection),
    ...sqliteDispatch(connection),
    ...sqliteDeliveries(connection),
    ...sqlitePruning(connection),
    ...sqliteReplacedSecrets(connection),
  };
}
