import type { IntegrationStore } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";

export function postgresIntegrations(_connection: Connection): IntegrationStore {
  return {} as never; // to be written
}
