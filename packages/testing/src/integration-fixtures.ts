import type { Integration } from "@budgetkit/core/store";
import { FIXTURE_BUSINESS, FIXTURE_TIME } from "./fixtures.js";

/** An ACTIVE integration that names neither a key nor a webhook. */
export function anIntegration(overrides: Partial<Integration> = {}): Integration {
  return {
    businessId: FIXTURE_BUSINESS,
    id: "50",
    version: 1,
    name: "Web shop",
    description: null,
    status: "ACTIVE",
    apiKeyId: null,
    webhookIds: [],
    config: {},
    createdAt: FIXTURE_TIME,
    updatedAt: FIXTURE_TIME,
    ...overrides,
  };
}
