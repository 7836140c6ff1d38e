import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { type Actor, actorLabel } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import { startOf, timeZoneFor } from "../../kernel/dates.js";
import { positiveAmount, SIZES, wireDate } from "../../kernel/fields.js";
import type { Minor } from "../../kernel/money.js";
import { type PageRequest, paginationOf } from "../../kernel/page.js";
import { brokenRule, type Problem } from "../../kernel/problem.js";
import { minorAmount } from "../../pricing/given-totals.js";
import type { Budget } from "../budget.js";
import type { BudgetContext, WriteOptions } from "../budget-context.js";
import { MAX_PAYMENTS, type Payment, type PaymentList, type PaymentView, paymentViewOf } from "../payment.js";
import { changeBudget, type Decision, type Settled } from "./change-budget.js";
import { decidePayment } from "./confirm-budget.js";
import { findBudget } from "./find-budget.js";

/** A plain `paidAt` is the start of that day in the time zone of the business. Default: now. */
export const recordPaymentSchema = z
  .object({
    /** In the currency's major unit. */
    amount: positiveAmount,
    /** The host's name of the payment, unique within the budget. */
    reference: z.string().min(1).max(SIZES.reference),
    /** ISO 8601; a plain date is the start of that day. Default: now. */
    paidAt: wireDate.nullish(),
  })
  .meta({ id: "RecordPayment" });
/** A payment towards a budget. */
export interface RecordPayment extends z.input<typeof recordPaymentSchema> {}
export type RecordPaymentInput = z.output<typeof recordPaymentSchema>;

export interface RecordedPayment {
  readonly payment: PaymentView;
  readonly isNew: boolean; // false = an earlier call has recorded it
}

interface PaymentDecision extends Decision {
  readonly payment: Payment;
}

/** Concurrent payments of one budget conflict. With this many attempts all of a hundred succeed. */
const ATTEMPTS = 100;

/**
 * Records a payment, once for each reference: for a repeated payment the result is the recorded one. The caller's version
 * of the budget does not matter.
 * Errors: those of changeBudget; 400 for more decimals than the currency has; a conflict when the reference belongs to
 * another payment; PAID_IN_THE_FUTURE, NOT_PAYABLE, PAYMENT_EXCEEDS_TOTAL, TOO_MANY_PAYMENTS, AMOUNT_TOO_LARGE.
 */
export async function recordPayment(
  context: BudgetContext,
  actor: Actor,
  budgetId: string,
  input: RecordPaymentInput,
  options: Omit<WriteOptions, "expectedVersion"> = {},
): Promise<Result<RecordedPayment, Problem>> {
  const now = options.now ?? context.clock.now();
  const paidAt = await givenMoment(context, actor, input);
  if (paidAt !== null && paidAt > now) return err(inTheFuture);
  const id = await context.ids.next(actor.businessId);
  const decide = async (current: Budget): Promise<Result<PaymentDecision | Settled<RecordedPayment>, Problem>> => {
    const { businessId, currency } = current;
    const amount = minorAmount("amount", input.amount, currency);
    if (amount.isErr()) return err(amount.error);
    const recorded = await context.store.findPayment(businessId, budgetId, input.reference);
    if (recorded !== null) return settleRepeated(recorded, amount.value, paidAt);
    if ((await context.store.countPayments(businessId, budgetId)) >= MAX_PAYMENTS) return err(tooMany);
    const payment: Payment = {
      businessId,
      budgetId,
      id,
      reference: input.reference,
      amount: amount.value,
      currency,
      paidAt: paidAt ?? now,
      createdAt: now,
      createdBy: actorLabel(actor),
    };
    return decidePayment(current, amount.value, now).map((decision) => ({ ...decision, payment }));
  };
  return changeBudget<RecordedPayment, PaymentDecision>(
    context,
    actor,
    budgetId,
    { ...options, now },
    {
      decide,
      present: (_budget, _summaries, _actor, { payment }) => ({ payment: paymentViewOf(payment), isNew: true }),
      ignoresQuota: true,
      attempts: ATTEMPTS,
    },
  );
}

async function givenMoment(
  context: BudgetContext,
  { businessId }: Actor,
  { paidAt }: RecordPaymentInput,
): Promise<Instant | null> {
  if (paidAt === null || paidAt === undefined) return null;
  return startOf(paidAt, await timeZoneFor(context, businessId, paidAt));
}

/** Compares a recorded payment with a request of the same reference. An absent `paidAt` matches any. */
function settleRepeated(
  recorded: Payment,
  amount: Minor,
  paidAt: Instant | null,
): Result<Settled<RecordedPayment>, Problem> {
  const isSame = recorded.amount === amount && (paidAt === null || paidAt === recorded.paidAt);
  return isSame ? ok({ view: { payment: paymentViewOf(recorded), isNew: false } }) : err(otherPayment);
}

const inTheFuture: Problem = brokenRule("PAID_IN_THE_FUTURE", "paidAt must not be in the future.", { field: "paidAt" });

const otherPayment: Problem = {
  kind: "conflict",
  message: "The budget has another payment of this reference.",
  details: { field: "reference" },
};

const tooMany: Problem = brokenRule("TOO_MANY_PAYMENTS", `A budget has at most ${MAX_PAYMENTS} payments.`, {
  limit: MAX_PAYMENTS,
});

/** The payments of a budget, newest first. Errors: those of findBudget. */
export async function listPayments(
  context: BudgetContext,
  { businessId }: Actor,
  budgetId: string,
  request: PageRequest,
): Promise<Result<PaymentList, Problem>> {
  const budget = await findBudget(context, businessId, budgetId);
  if (budget.isErr()) return err(budget.error);
  const page = await context.store.listPayments(
    businessId,
    budgetId,
    request.limit,
    (request.page - 1) * request.limit,
  );
  return ok({ data: page.entries.map(paymentViewOf), pagination: paginationOf(request, page) });
}
