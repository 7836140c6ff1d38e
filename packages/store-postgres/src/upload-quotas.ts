import type { UploadQuotaStore } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";

export function postgresUploadQuotas(_connection: Connection): UploadQuotaStore {
  return {} as never; // to be written
}
