import type { BudgetMessage } from "@budgetkit/core/store";
import { FIXTURE_BUSINESS, FIXTURE_TIME } from "./fixtures.js";

/** A message of the customer about the budget of the fixtures. */
export function aMessage(overrides: Partial<BudgetMessage> = {}): BudgetMessage {
  return {
    businessId: FIXTURE_BUSINESS,
    budgetId: "10",
    id: "80",
    message: "Is delivery included?",
    by: "customer:Ana",
    sentAt: FIXTURE_TIME,
    ...overrides,
  };
}
