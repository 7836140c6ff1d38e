import type { AccessStore } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";

export function postgresAccess(_connection: Connection): AccessStore {
  return {} as never; // to be written
}
