import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { type Actor, actorLabel } from "../kernel/actor.js";
import { type Instant, toTimestamp } from "../kernel/clock.js";
import { description, SIZES } from "../kernel/fields.js";
import { fromMinor } from "../kernel/money.js";
import type { Origin } from "../kernel/origin.js";
import { notFound, type Problem } from "../kernel/problem.js";
import type { Budget } from "./budget.js";
import type { BudgetContext, WriteOptions } from "./budget-context.js";
import { acceptanceViewOf, type Summaries } from "./budget-view.js";
import { changeBudget, type Decision } from "./change-budget.js";
import { decideAcceptance, dueToConfirm } from "./confirm-budget.js";
import { expireOverdue, isOverdue } from "./expire-budgets.js";
import type { publicBudgetViewSchema, publicLinkViewSchema } from "./public-link-view-schema.js";
import { mintPublicToken, publicTokenHash, publicUrlOf } from "./public-token.js";
import { customersOf } from "./summaries.js";
import { findTransition, TRANSITIONS } from "./transitions.js";
export type PublicBudgetView = z.infer<typeof publicBudgetViewSchema>;

/** An answer names the version that was shown, so that nobody accepts what they have not seen. */
export const answerSchema = z
  .object({
    version: z.int().min(1).describe("The version that was shown: 409 if it has changed since."),
    name: z.string().trim().min(1).max(SIZES.name).default("customer"),
    reason: description.nullish(),
  })
  .meta({ id: "PublicAnswer" });
export type AnswerInput = z.output<typeof answerSchema>;
export type PublicLinkView = z.infer<typeof publicLinkViewSchema>;

export type Answer = "accept" | "decline";

/** Gives a budget a public link, or a new one in the place of the old, which stops working. Errors: those of changeBudget. */
export function rotatePublicLink(
  context: BudgetContext,
  actor: Actor,
  id: string,
  options: WriteOptions<PublicLinkView> = {},
): Promise<Result<PublicLinkView, Problem>> {
  const { token, hash } = mintPublicToken(context.random);
  return changeBudget(context, actor, id, options, {
    decide: (current) => {
      const { status } = current;
      const event = { type: "budget.updated", fields: ["publicLink"], from: status, to: status, reason: null } as const;
      return ok({ budget: { ...current, publicTokenHash: hash }, events: [event] });
    },
    present: () => ({ publicUrl: publicUrlOf(context, token), publicToken: token }),
  });
}

/** The budget behind a link. Errors: not-found for a token that is unknown or replaced, a deleted budget, a draft. */
export async function openPublicLink(
  context: BudgetContext,
  token: string,
  now: Instant = context.clock.now(),
): Promise<Result<PublicBudgetView, Problem>> {
  let budget = await findByToken(context, token);
  if (budget !== null && isOverdue(budget, now)) {
    await expireOverdue(context, budget, now);
    budget = await findByToken(context, token);
  }
  if (budget === null) return err(notFound("publicLink", ""));
  const seller = await context.findBusiness(budget.businessId);
  const summaries = await customersOf(context, budget.businessId, [budget]);
  return ok(publicViewOf(budget, summaries, seller, publicUrlOf(context, token)));
}

/**
 * Records the customer's answer. Errors: not-found as above; a conflict when the version shown is no longer the
 * budget's; INVALID_TRANSITION when it does not wait for an answer, ALREADY_ACCEPTED when it waits for a payment.
 */
export async function answerPublicLink(
  context: BudgetContext,
  token: string,
  answer: Answer,
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
        : decideRefusal(current, input.reason ?? null),
    present: (changed, summaries) => publicViewOf(changed, summaries, seller, publicUrlOf(context, token)),
  });
  return answered.mapErr((problem) => (problem.kind === "stale" ? changedMeanwhile : problem));
}

/** The customer's refusal, of a budget that was accepted and waits for payments too. Errors: INVALID_TRANSITION. */
function decideRefusal(current: Budget, reason: string | null): Result<Decision, Problem> {
  const { status } = current;
  return findTransition(status, "REJECTED", "link").map(({ event, to }) => ({
    budget: { ...current, status: to, acceptance: null },
    events: [{ type: event, fields: ["status"], from: status, to, reason }],
  }));
}

const changedMeanwhile: Problem = {
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
  seller: { readonly name: string } | null,
  publicUrl: string,
): PublicBudgetView {
  const major = (minor: number) => fromMinor(minor, budget.currency);
  const minimum = budget.publicOffer === null ? null : major(budget.publicOffer.minimumPaymentToConfirm);
  const isOpen = TRANSITIONS.some((move) => move.from === budget.status && move.by.includes("link"));
  return {
    id: budget.id,
    version: budget.version,
    status: budget.status,
    currency: budget.currency,
    subtotal: major(budget.subtotal),
    discount: major(budget.discount),
    tax: major(budget.tax),
    total: major(budget.total),
    notes: budget.notes,
    validUntil: budget.validUntil === null ? null : toTimestamp(budget.validUntil),
    issueDate: toTimestamp(budget.publicOffer?.issueDate ?? budget.createdAt),
    minimumPaymentToConfirm: minimum,
    paid: major(budget.paid),
    dueToConfirm: minimum === null || !isOpen ? null : major(dueToConfirm(budget)),
    acceptance: acceptanceViewOf(budget.acceptance),
    business: { name: seller?.name ?? null },
    customer: { name: summaries.customers.get(budget.customerId)?.name ?? null },
    items: budget.items.map(({ description, quantity, unitPrice, total }) => ({
      description,
      quantity,
      unitPrice,
      total: major(total),
    })),
    availableActions: isOpen ? (budget.acceptance === null ? ["accept", "decline"] : ["decline"]) : [],
    publicUrl,
  };
}
