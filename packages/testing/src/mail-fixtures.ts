import type { Mail } from "@budgetkit/core/store";
import { FIXTURE_BUSINESS, FIXTURE_TIME } from "./fixtures.js";

/** A queued mail of the budget of the fixtures. */
export function aMail(overrides: Partial<Mail> = {}): Mail {
  return {
    businessId: FIXTURE_BUSINESS,
    budgetId: "10",
    id: "60",
    kind: "budget",
    status: "queued",
    to: "ana@example.com",
    lang: null,
    message: "As we discussed.\nRegards",
    attempts: 0,
    dueAt: FIXTURE_TIME,
    createdAt: FIXTURE_TIME,
    createdBy: "key:20",
    sentAt: null,
    error: null,
    ...overrides,
  };
}
