import type { Page } from "../kernel/page.js";
import type { Payment } from "./payment.js";

/** The port of payments: their reads. A payment commits together with the budget that counts it, and never changes. */
export interface PaymentStore {
  /** The payment of the budget with exactly this reference; null = none. */
  findPayment(businessId: string, budgetId: string, reference: string): Promise<Payment | null>;

  /** The number of payments of the budget. Each new payment also makes a new version of the budget. */
  countPayments(businessId: string, budgetId: string): Promise<number>;

  /** The payments of a budget, newest first; at the same time the higher id, as an integer, first. */
  listPayments(businessId: string, budgetId: string, limit: number, offset: number): Promise<Page<Payment>>;
}
