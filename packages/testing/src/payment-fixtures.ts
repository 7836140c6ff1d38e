import type { Payment } from "@budgetkit/core/store";
import { FIXTURE_BUSINESS, FIXTURE_TIME } from "./fixtures.js";

/** A payment of 50 dollars towards the budget of the fixtures. */
export function aPayment(overrides: Partial<Payment> = {}): Payment {
  return {
    businessId: FIXTURE_BUSINESS,
    budgetId: "10",
    id: "80",
    reference: "transfer 1",
    amount: 5_000,
    currency: "USD",
    paidAt: FIXTURE_TIME,
    createdAt: FIXTURE_TIME,
    createdBy: "key:20",
    ...overrides,
  };
}
