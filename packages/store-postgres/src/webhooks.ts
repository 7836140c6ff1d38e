import type { WebhookStore } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";

export function postgresWebhooks(_connection: Connection): WebhookStore {
  return {} as never; // to be written
}
