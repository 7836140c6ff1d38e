import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { type Actor, actorLabel } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import { startOf } from "../kernel/dates.js";
import { positiveAmount, SIZES, wireDate } from "../kernel/fields.js";
import type { Minor } from "../kernel/money.js";
import { type PageRequest, paginationOf } from "../kernel/page.js";
import { brokenRule, notFound, type Problem } from "../kernel/problem.js";
import type { Budget } from "./budget.js";
import type { BudgetContext, WriteOptions } from "./budget-context.js";
import { changeBudget, type Decision, type Settled } from "./change-budget.js";
import { decidePayment } from "./confirm-budget.js";
import { minorAmount } from "./given-totals.js";
import { MAX_PAYMENTS, type Payment, type PaymentList, type PaymentView, paymentViewOf } from "./payment.js";
import { timeZoneFor } from "./validity.js";

/** A plain date means the beginning of that day where the business is; without one the payment was made just now. */
export const recordPaymentSchema = z
  .object({
    amount: positiveAmount,
    reference: z.string().min(1).max(SIZES.reference),
    paidAt: wireDate.nullish(),
  })
  .meta({ id: "RecordPayment" });
export type RecordPaymentInput = z.output<typeof recordPaymentSchema>;

export interface RecordedPayment {
  readonly payment: PaymentView;
  readonly isNew: boolean; // false = an earlier call recorded it
}

interface PaymentDecision extends Decision {
  readonly payment: Payment;
}

/** Payments of one budget wait for each other: each of a hundred that arrive at once finds its turn. */
const ATTEMPTS = 100;

/**
 * Records that money came in, once for each reference: the same payment again is answered with the one that is there.
 * It is recorded whatever version of the budget the caller has seen.
 * Errors: those of changeBudget; 400 for more decimals than the currency has; a conflict when the reference stands for
 * another payment; PAID_IN_THE_FUTURE, NOT_PAYABLE, TOO_MANY_PAYMENTS, AMOUNT_TOO_LARGE.
 */
export async function recordPayment(
  context: BudgetContext,
  actor: Actor,
  budgetId: string,
  input: RecordPaymentInput,
  options: Omit<WriteOptions<RecordedPayment>, "expectedVersion"> = {},
): Promise<Result<RecordedPayment, Problem>> {
  const now = options.now ?? context.clock.now();
  const paidAt = await givenMoment(context, actor, input);
  if (paidAt !== null && paidAt > now) return err(inTheFuture);
  const id = await context.ids.next();
  const decide = async (current: Budget): Promise<Result<PaymentDecision | Settled<RecordedPayment>, Problem>> => {
    const { businessId, currency } = current;
    const amount = minorAmount("amount", input.amount, currency);
    if (amount.isErr()) return err(amount.error);
    const recorded = await context.store.findPayment(businessId, budgetId, input.reference);
    if (recorded !== null) return recognize(recorded, amount.value, paidAt);
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
      present: (_budget, _summaries, { payment }) => ({ payment: paymentViewOf(payment), isNew: true }),
      write: ({ budget, expectedVersion, events, receipt }, { payment }) =>
        context.store.recordPayment(payment, budget, expectedVersion, events, receipt),
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

/** Whether what is recorded under the reference is what was sent; a moment that was left out agrees with any. */
function recognize(
  recorded: Payment,
  amount: Minor,
  paidAt: Instant | null,
): Result<Settled<RecordedPayment>, Problem> {
  const isSame = recorded.amount === amount && (paidAt === null || paidAt === recorded.paidAt);
  return isSame ? ok({ answer: { payment: paymentViewOf(recorded), isNew: false } }) : err(otherPayment);
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

/** The payments of a budget, newest first. Errors: not-found, for a deleted budget and for another business's too. */
export async function listPayments(
  { store }: BudgetContext,
  { businessId }: Actor,
  budgetId: string,
  request: PageRequest,
): Promise<Result<PaymentList, Problem>> {
  const budget = await store.findBudget(businessId, budgetId);
  if (budget === null || budget.deletion !== null) return err(notFound("budget", budgetId));
  const page = await store.listPayments(businessId, budgetId, request.limit, (request.page - 1) * request.limit);
  return ok({ data: page.entries.map(paymentViewOf), pagination: paginationOf(request, page) });
}
