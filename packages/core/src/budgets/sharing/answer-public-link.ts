import { err, type Result } from "neverthrow";
import { z } from "zod";
import { type Actor, actorLabel, type Origin } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import { description, SIZES } from "../../kernel/fields.js";
import { notFound, type Problem } from "../../kernel/problem.js";
import type { Budget } from "../budget.js";
import type { BudgetContext } from "../budget-context.js";
import { moved } from "../budget-event.js";
import { changeBudget, type Decision } from "../lifecycle/change-budget.js";
import { decideAcceptance } from "../lifecycle/confirm-budget.js";
import { signature } from "../offer/page-parts.js";
import { findByToken } from "../offer/public-token.js";
import type { PublicBudgetView } from "../offer/public-view.js";
import { shownContentOf } from "../offer/shown-content.js";
import { asOf } from "../overdue.js";
import { type AcceptanceFacts, type Consent, signEvidence } from "../proof/evidence.js";
import { customersOf } from "../references/summaries.js";
import { type CustomerAnswer, isRepeated, noteAnswer } from "../repeated-answer.js";
import { findTransition } from "../transitions.js";
import { openPublicLink, presentPublicly } from "./public-link.js";

/** The answer names the version that was shown, so that a customer cannot accept a version they have not seen. */
export const answerSchema = z
  .object({
    version: z.int().min(1).describe("The version that was shown: 409 if it has changed since."),
    name: z.string().trim().min(1).max(SIZES.name).default("customer"),
    reason: description.nullish(),
    hash: z.string().max(64).optional().describe("The hash that was shown: 409 if the offer has changed since."),
    signature: signature.optional(),
    language: z.string().max(35).optional().describe("Of the service's own page, if the customer answered there."),
  })
  .meta({ id: "PublicAnswer" });
export type AnswerInput = z.output<typeof answerSchema>;
export type PublicAnswer = "accept" | "decline";

/** Where an answer came from, as far as it is known. */
export interface AnswerSender {
  readonly origin?: Origin;
  readonly address?: string | null;
  readonly userAgent?: string | null;
  /** The consent that the page showed; null = the answer did not come from the page. */
  readonly consentOf?: (view: PublicBudgetView) => Consent | null;
}

/**
 * Records the customer's answer, and the evidence of an acceptance. The last answer, given again with the same content to
 * the same version, changes nothing while it stands, and returns the budget as it is. Errors: not-found as above; a conflict when the budget has another
 * version or hash than the one shown; INVALID_TRANSITION when it does not wait for an answer; ALREADY_ACCEPTED when it
 * waits for a payment.
 */
export async function answerPublicLink(
  context: BudgetContext,
  token: string,
  answer: PublicAnswer,
  input: AnswerInput,
  now: Instant = context.clock.now(),
  sender: AnswerSender = {},
): Promise<Result<PublicBudgetView, Problem>> {
  const budget = await findByToken(context, token);
  if (budget === null) return err(notFound("publicLink", ""));
  const { origin } = sender;
  const actor: Actor = {
    kind: "customer",
    businessId: budget.businessId,
    name: input.name,
    ...(origin === undefined ? {} : { origin }),
  };
  const { version, reason = null, signature = null, hash = null } = input;
  const by = actorLabel(actor);
  const given: CustomerAnswer = { kind: answer, version, by, text: reason, signature, hash };
  const present = await presentPublicly(context, budget, token);
  const options = { now, expectedVersion: version };
  const answered = await changeBudget<PublicBudgetView>(context, actor, budget.id, options, {
    decide: async (current) => {
      const shown = present(current, await customersOf(context, budget.businessId, [current]));
      if (hash !== null && hash !== shown.hash) return err(changedSinceShown);
      if (answer === "decline") return noted(decideDecline(current, reason), given);
      const decided = noted(decideAcceptance(current, by, reason, now, signature), given);
      if (decided.isErr()) return err(decided.error);
      const facts = factsOf(input, sender, shown);
      const evidence = await signEvidence(context, { current, content: shownContentOf(shown), actor, facts, now });
      return decided.map((decision) => ({ ...decision, budget: { ...decision.budget, evidence } }));
    },
    present,
    ignoresQuota: true,
  });
  return orRepeated(context, token, given, answered, now);
}

export function noted(decided: Result<Decision, Problem>, answer: CustomerAnswer): Result<Decision, Problem> {
  return decided.map(({ budget, events }) => ({ budget: noteAnswer(budget, answer), events }));
}

/** The outcome of an answer. One to another version than the stored one is a conflict, unless it repeats the last answer. */
export async function orRepeated(
  context: BudgetContext,
  token: string,
  answer: CustomerAnswer,
  answered: Result<PublicBudgetView, Problem>,
  now: Instant,
): Promise<Result<PublicBudgetView, Problem>> {
  if (answered.isOk() || answered.error.kind !== "stale") return answered;
  const current = await findByToken(context, token);
  return current !== null && isRepeated(asOf(current, now), answer)
    ? openPublicLink(context, token, now)
    : err(changedSinceShown);
}

function factsOf(input: AnswerInput, sender: AnswerSender, shown: PublicBudgetView): AcceptanceFacts {
  const { name, signature = null, hash } = input;
  const { address = null, userAgent = null, consentOf } = sender;
  // The page names the hash of what it shows: without it, the names in the consent may be others by now.
  const consent = hash === undefined ? null : (consentOf?.(shown) ?? null);
  return { channel: "link", name, signature, consent, address, userAgent };
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
