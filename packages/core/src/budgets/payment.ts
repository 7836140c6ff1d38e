import { z } from "zod";
import { type Instant, toTimestamp } from "../kernel/clock.js";
import { paginationSchema, timestampView } from "../kernel/fields.js";
import { fromMinor, type Minor } from "../kernel/money.js";

/** Money that came in for a budget. It is never changed and never taken back: the budget's `paid` is the sum of its payments. */
export interface Payment {
  readonly businessId: string;
  readonly budgetId: string;
  readonly id: string;
  readonly reference: string; // the payer's, the bank's, the shop's: unique within the budget
  readonly amount: Minor; // more than 0
  readonly currency: string; // the budget's
  readonly paidAt: Instant;
  readonly createdAt: Instant; // when it was recorded
  readonly createdBy: string; // an actor's label
}

/** A budget has this many payments at most: one that is paid in more parts is something else. */
export const MAX_PAYMENTS = 1_000;

/** A payment as it is told. The amount is a number in the currency's major unit. */
export const paymentViewSchema = z
  .object({
    id: z.string(),
    budgetId: z.string(),
    reference: z.string(),
    amount: z.number(),
    currency: z.string(),
    paidAt: timestampView,
    createdAt: timestampView,
    createdBy: z.string(),
  })
  .meta({ id: "Payment" });
export type PaymentView = z.infer<typeof paymentViewSchema>;

export const paymentListSchema = z.object({ data: z.array(paymentViewSchema), pagination: paginationSchema });
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
