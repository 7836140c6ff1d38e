import type { EventToCommit } from "../events/delivery-plan.js";
import type { IdempotencyRecord } from "../idempotency/idempotency-store.js";
import type { Page } from "../kernel/page.js";
import type { Budget } from "./budget.js";
import type { ReplaceOutcome } from "./budget-store.js";
import type { Numbered } from "./numbering.js";
import type { Payment } from "./payment.js";

/** The port of payments. A payment commits together with the budget that counts it, and never changes. */
export interface PaymentStore {
  /**
   * Adds a payment and replaces the stored budget if it is still at `expectedVersion`. The payment, the budget, its events
   * and its idempotency record become visible together or not at all.
   *
   * Of several callers with one reference for one budget exactly one gets `"written"`. Later callers get `"taken"`, with
   * any expected version. Other outcomes are those of `replaceBudget`.
   */
  recordPayment(
    payment: Payment,
    budget: Budget,
    expectedVersion: number,
    events: readonly EventToCommit[],
    idempotencyRecord: IdempotencyRecord | null,
  ): Promise<PaymentOutcome>;

  /** The payment of the budget with exactly this reference; null = none. */
  findPayment(businessId: string, budgetId: string, reference: string): Promise<Payment | null>;

  /** The number of payments of the budget. Each new payment also makes a new version of the budget. */
  countPayments(businessId: string, budgetId: string): Promise<number>;

  /** The payments of a budget, newest first; at the same time the higher id, as an integer, first. */
  listPayments(businessId: string, budgetId: string, limit: number, offset: number): Promise<Page<Payment>>;
}

export type PaymentOutcome = Exclude<ReplaceOutcome, Numbered> | "taken";
