import type { UsageRow } from "@budgetkit/core/store";
import { FIXTURE_BUSINESS, FIXTURE_TIME } from "./fixtures.js";

/** Three requests of a key within a minute, one of which failed. */
export function aUsageRow(overrides: Partial<UsageRow> = {}): UsageRow {
  return {
    businessId: FIXTURE_BUSINESS,
    keyId: "20",
    grain: "minute",
    at: FIXTURE_TIME,
    method: "GET",
    path: "/api/public/budgets/{budgetId}",
    requests: 3,
    errors: 1,
    refusals: 0,
    durationUs: 4_500,
    ...overrides,
  };
}
