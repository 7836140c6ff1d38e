import type { DashboardStore } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";

export function postgresDashboard(_connection: Connection): DashboardStore {
  return {} as never; // to be written
}
