import { z } from "zod";
import { type Instant, toTimestamp } from "../kernel/clock.js";
import { paginationSchema, timestampView } from "../kernel/fields.js";
import { fromMinor, type Minor } from "../kernel/money.js";

/** Money received for a budget. Payments never change: `paid` of the budget is their sum. */
export interface Payment {
  readonly businessId: string;
  readonly budgetId: string;
  readonly id: string;
  readonly reference: string; // from the payer, bank or shop; unique within the budget
  readonly amount: Minor; // more than 0
  readonly currency: string; // the budget's
  readonly paidAt: Instant;
  readonly createdAt: Instant; // when it was recorded
  readonly createdBy: string; // an actor's label
}

/** Payments of one budget at most. */
export const MAX_PAYMENTS = 1_000;

/** The amount is in the currency's major unit. */
export const paymentViewSchema = z
  .object({
    /** Assigned by the service. */
    id: z.string(),
    /** Id of the budget that was paid for. */
    budgetId: z.string(),
    /** The host's name of the payment, unique within the budget. */
    reference: z.string(),
    /** In the currency's major unit. */
    amount: z.number(),
    /** An ISO 4217 code. */
    currency: z.string(),
    /** ISO 8601, in UTC. */
    paidAt: timestampView,
    /** ISO 8601, in UTC. */
    createdAt: timestampView,
    /** Who created it: `user:7`, `key:12`, `customer:Ana` or `system`. */
    createdBy: z.string(),
  })
  .meta({ id: "Payment" });
export type PaymentView = z.infer<typeof paymentViewSchema>;

export const paymentListSchema = z.object({
  /** The entries of this page. */
  data: z.array(paymentViewSchema),
  /** Which page this is, and how many there are. */
  pagination: paginationSchema,
});
export type PaymentList = z.infer<typeof paymentListSchema>;

export function paymentViewOf(payment: Payment): PaymentView {
  return {
    id: payment.id,
    budgetId: payment.budgetId,
    reference: payment.reference,
    amount: fromMinor(payment.amount, payment.currency),
    currency: payment.currency,
    paidAt: toTimestamp(payment.paidAt),
    createdAt: toTimestamp(payment.createdAt),
    createdBy: payment.createdBy,
  };
}
