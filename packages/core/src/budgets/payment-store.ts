import type { DomainEvent } from "../events/event.js";
import type { Receipt } from "../idempotency/idempotency-store.js";
import type { Page } from "../kernel/page.js";
import type { Budget } from "./budget.js";
import type { ReplaceOutcome } from "./budget-store.js";
import type { Payment } from "./payment.js";

/** What payments need of a store. A payment is written with the budget that counts it, and never changes. */
export interface PaymentStore {
  /**
   * Adds a payment and puts `budget`, which counts it, in the place of the stored one if that is still at
   * `expectedVersion`: the payment, the budget, its events and its receipt become visible together or not at all.
   *
   * Of several callers with one reference for one budget exactly one gets `"written"`. Whoever comes after it gets
   * `"taken"`, whatever version it expects; then, as for `replaceBudget`, `"stale"` and `"receipt-lost"`.
   */
  recordPayment(
    payment: Payment,
    budget: Budget,
    expectedVersion: number,
    events: readonly DomainEvent[],
    receipt: Receipt | null,
  ): Promise<PaymentOutcome>;

  /** The budget's payment of that reference, which is compared as it is written; null when there is none. */
  findPayment(businessId: string, budgetId: string, reference: string): Promise<Payment | null>;

  /** How many payments the budget has. No payment is added without a new version of the budget. */
  countPayments(businessId: string, budgetId: string): Promise<number>;

  /** The payments of a budget, newest first; of those of the same moment the higher id, as an integer, first. */
  listPayments(businessId: string, budgetId: string, limit: number, offset: number): Promise<Page<Payment>>;
}

export type PaymentOutcome = ReplaceOutcome | "taken";
