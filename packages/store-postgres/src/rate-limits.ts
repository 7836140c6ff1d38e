import type { RateLimitStore } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";

export function postgresRateLimits(_connection: Connection): RateLimitStore {
  return {} as never; // to be written
}
