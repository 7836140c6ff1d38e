import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { type Actor, actorLabel, type Origin } from "../../kernel/actor.js";
import { type Instant, toTimestamp } from "../../kernel/clock.js";
import { description, SIZES, timestampView } from "../../kernel/fields.js";
import { fromMinor } from "../../kernel/money.js";
import { notFound, type Problem } from "../../kernel/problem.js";
import { BUDGET_STATUSES, type Budget, type BudgetItem } from "../budget.js";
import type { BudgetContext, Seller } from "../budget-context.js";
import { moved } from "../budget-event.js";
import { acceptanceView, acceptanceViewOf, type Summaries } from "../budget-view.js";
import { changeBudget, type Decision } from "../lifecycle/change-budget.js";
import { decideAcceptance, dueToConfirm } from "../lifecycle/confirm-budget.js";
import { itemExtras, itemKind, unpricedLineOf, unpricedLines, withExtras } from "../line-view.js";
import { asOf } from "../overdue.js";
import { customersOf } from "../references/summaries.js";
import { findTransition, TRANSITIONS } from "../transitions.js";
import { publicTokenHash, publicUrlOf } from "./public-token.js";
import { sellerViewOf, sellerViewSchema } from "./seller-view.js";

/** The view behind a link. It holds no catalog ids, no metadata and no users of the business. */
export const publicBudgetViewSchema = z
  .object({
    /** Assigned by the service. */
    id: z.string(),
    /** An answer names it, so that no one accepts what they have not seen. */
    version: z.int(),
    /** Where it stands in its life. */
    status: z.enum(BUDGET_STATUSES),
    /** An ISO 4217 code. */
    currency: z.string(),
    /** Before tax and discount, in the currency's major unit. */
    subtotal: z.number(),
    /** Amount of discount, in the currency's major unit. */
    discount: z.number(),
    /** Amount of tax, in the currency's major unit. */
    tax: z.number(),
    /** A fraction: 0.21 is 21 %. */
    taxRate: z.number().nullable().describe("Null: the tax was given as an amount."),
    /** With tax, in the currency's major unit. */
    total: z.number(),
    /** Free text; null = none. */
    notes: z.string().nullable(),
    /** Until when the offer holds. ISO 8601, in UTC; null = without an end. */
    validUntil: timestampView.nullable(),
    /** When the offer was made. ISO 8601. */
    issueDate: timestampView,
    /** What must be paid before an acceptance counts, in the currency's major unit; null = nothing. */
    minimumPaymentToConfirm: z.number().nullable(),
    /** Sum of the payments, in the currency's major unit. */
    paid: z.number(),
    /** What an acceptance waits for; null = nothing is to be confirmed. */
    dueToConfirm: z.number().nullable().describe("What an acceptance waits for; null = nothing is to be confirmed."),
    /** Null = none waits for payments. */
    acceptance: acceptanceView.nullable().describe("Null = none waits for payments."),
    /** The acceptance that confirmed the budget. */
    approval: acceptanceView.nullable().describe("The acceptance that confirmed the budget; null = none has."),
    /** Who makes the offer. */
    business: sellerViewSchema,
    /** The customer, in short. */
    customer: z.object({
      /** Null = not known. */
      name: z.string().nullable(),
    }),
    /** The lines. */
    items: z.array(
      z.union([
        z
          .object({
            /** Absent: a line without a kind is an item. */
            kind: itemKind,
            /** What is offered. */
            description: z.string(),
            /** How many units. */
            quantity: z.number(),
            /** Price of one unit, in the currency's major unit. */
            unitPrice: z.number(),
            ...itemExtras,
            /** quantity × unitPrice less the item's own discount, in the currency's major unit. */
            total: z.number(),
          })
          .meta({ id: "PublicItem" }),
        ...unpricedLines,
      ]),
    ),
    /** What the customer can answer now. */
    availableActions: z.array(z.enum(["accept", "decline"])),
    /** The link by which the customer opens the budget, without a credential. */
    publicUrl: z.url(),
  })
  .meta({ id: "PublicBudget" });
export type PublicBudgetView = z.infer<typeof publicBudgetViewSchema>;

/** The answer names the version that was shown, so that a customer cannot accept a version they have not seen. */
export const answerSchema = z
  .object({
    version: z.int().min(1).describe("The version that was shown: 409 if it has changed since."),
    name: z.string().trim().min(1).max(SIZES.name).default("customer"),
    reason: description.nullish(),
  })
  .meta({ id: "PublicAnswer" });
export type AnswerInput = z.output<typeof answerSchema>;
export type PublicAnswer = "accept" | "decline";

/** The budget behind a link. Errors: not-found for an unknown or replaced token, a deleted budget, a draft. */
export async function openPublicLink(
  context: BudgetContext,
  token: string,
  now: Instant = context.clock.now(),
): Promise<Result<PublicBudgetView, Problem>> {
  const stored = await findByToken(context, token);
  if (stored === null) return err(notFound("publicLink", ""));
  const budget = asOf(stored, now);
  const seller = await context.findBusiness(budget.businessId);
  const summaries = await customersOf(context, budget.businessId, [budget]);
  return ok(publicViewOf(budget, summaries, seller, publicUrlOf(context, token)));
}

/**
 * Records the customer's answer. Errors: not-found as above; a conflict when the budget has another version than the one
 * shown; INVALID_TRANSITION when it does not wait for an answer; ALREADY_ACCEPTED when it waits for a payment.
 */
export async function answerPublicLink(
  context: BudgetContext,
  token: string,
  answer: PublicAnswer,
  input: AnswerInput,
  now: Instant = context.clock.now(),
  origin?: Origin,
): Promise<Result<PublicBudgetView, Problem>> {
  const budget = await findByToken(context, token);
  if (budget === null) return err(notFound("publicLink", ""));
  const actor: Actor = {
    kind: "customer",
    businessId: budget.businessId,
    name: input.name,
    ...(origin === undefined ? {} : { origin }),
  };
  const seller = await context.findBusiness(budget.businessId);
  const options = { now, expectedVersion: input.version };
  const answered = await changeBudget<PublicBudgetView>(context, actor, budget.id, options, {
    decide: (current) =>
      answer === "accept"
        ? decideAcceptance(current, actorLabel(actor), input.reason ?? null, now)
        : decideDecline(current, input.reason ?? null),
    present: (changed, summaries) => publicViewOf(changed, summaries, seller, publicUrlOf(context, token)),
    ignoresQuota: true,
  });
  return answered.mapErr((problem) => (problem.kind === "stale" ? changedSinceShown : problem));
}

/** The customer declines, possibly after an acceptance that waits for payments. Errors: INVALID_TRANSITION. */
function decideDecline(current: Budget, reason: string | null): Result<Decision, Problem> {
  const { status } = current;
  return findTransition(status, "REJECTED", "link").map(({ event, to }) => ({
    budget: { ...current, status: to, acceptance: null },
    events: [moved(event, status, to, reason)],
  }));
}

const changedSinceShown: Problem = {
  kind: "conflict",
  message: "The budget has changed since it was shown; look at it again before answering.",
  details: {},
};

async function findByToken({ store }: BudgetContext, token: string): Promise<Budget | null> {
  const hash = publicTokenHash(token);
  const budget = hash === null ? null : await store.findBudgetByPublicToken(hash);
  return budget === null || budget.deletion !== null || budget.status === "DRAFT" ? null : budget;
}

function publicViewOf(
  budget: Budget,
  summaries: Summaries,
  seller: Seller | null,
  publicUrl: string,
): PublicBudgetView {
  const major = (minor: number) => fromMinor(minor, budget.currency);
  const minimum =
    budget.publicOffer === null ? null : major(Math.min(budget.publicOffer.minimumPaymentToConfirm, budget.total));
  const isOpen = TRANSITIONS.some((move) => move.from === budget.status && move.by.includes("link"));
  const due = dueToConfirm(budget);
  return {
    id: budget.id,
    version: budget.version,
    status: budget.status,
    currency: budget.currency,
    subtotal: major(budget.subtotal),
    discount: major(budget.discount),
    tax: major(budget.tax),
    taxRate: budget.taxRate,
    total: major(budget.total),
    notes: budget.notes,
    validUntil: budget.validUntil === null ? null : toTimestamp(budget.validUntil),
    issueDate: toTimestamp(budget.publicOffer?.issueDate ?? budget.createdAt),
    minimumPaymentToConfirm: minimum,
    paid: major(budget.paid),
    dueToConfirm: minimum === null || !isOpen ? null : major(due),
    acceptance: acceptanceViewOf(budget.acceptance),
    approval: approvalOf(budget),
    business: sellerViewOf(seller),
    customer: { name: summaries.customers.get(budget.customerId)?.name ?? null },
    items: budget.items.map((item) => publicLineOf(item, budget.currency)),
    availableActions: isOpen ? (budget.acceptance === null || due === 0 ? ["accept", "decline"] : ["decline"]) : [],
    publicUrl,
  };
}

function publicLineOf(item: BudgetItem, currency: string): PublicBudgetView["items"][number] {
  const { description, quantity, unitPrice, total } = item;
  const line = { description, quantity, unitPrice, total: fromMinor(total, currency) };
  return unpricedLineOf(item, currency) ?? withExtras(line, item, currency);
}

/** A customer does not see which user or key of the business accepted in their place. */
function approvalOf({ approvedAt, approvedBy }: Budget): PublicBudgetView["approval"] {
  if (approvedAt === null || approvedBy === null) return null;
  const acceptedBy = approvedBy.startsWith("customer:") ? approvedBy : "business";
  return { acceptedAt: toTimestamp(approvedAt), acceptedBy };
}
