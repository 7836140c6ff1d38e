import type { UsageStore } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";

export function postgresUsage(_connection: Connection): UsageStore {
  return {} as never; // to be written
}
