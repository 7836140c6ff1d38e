import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { type Actor, actorLabel, type Origin } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import { description, SIZES } from "../../kernel/fields.js";
import { notFound, type Problem } from "../../kernel/problem.js";
import { isConfigurable } from "../../pricing/selection.js";
import type { Budget } from "../budget.js";
import type { BudgetContext } from "../budget-context.js";
import { moved, updated } from "../budget-event.js";
import { changeBudget, type Decision } from "../lifecycle/change-budget.js";
import { checkNotWaiting, decideAcceptance } from "../lifecycle/confirm-budget.js";
import { signature } from "../offer/page-parts.js";
import { findByToken } from "../offer/public-token.js";
import type { PublicBudgetView } from "../offer/public-view.js";
import { IN_FORMS, selectionOf, selectionSchema, withSelection } from "../offer/selection.js";
import { shownContentOf } from "../offer/shown-content.js";
import { asOf } from "../overdue.js";
import { type AcceptanceFacts, type Consent, signEvidence } from "../proof/evidence.js";
import { customersOf } from "../references/summaries.js";
import { type CustomerAnswer, isRepeated, noteAnswer } from "../repeated-answer.js";
import { contentChanges, reviseBudget } from "../revision.js";
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
    selection: selectionSchema
      .optional()
      .describe(
        `What the customer sets of the offer, with an acceptance. A line that it does not name stays as it is. ${IN_FORMS}`,
      ),
    total: z
      .number()
      .optional()
      .describe("The total of the selection that was shown, with an acceptance: 409 if it is another."),
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
 * version or hash than the one shown, or the selection another total; INVALID_TRANSITION when it does not wait for an answer; ALREADY_ACCEPTED when it
 * waits for a payment; CHOICE_INCOMPLETE and those of withSelection for an acceptance.
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
  const { version, reason = null, signature = null, hash = null, selection } = input;
  const by = actorLabel(actor);
  const given: CustomerAnswer = { kind: answer, version, by, text: reason, signature, hash, selection };
  const present = await presentPublicly(context, budget, token);
  const options = { now, expectedVersion: version };
  const answered = await changeBudget<PublicBudgetView>(context, actor, budget.id, options, {
    decide: async (current) => {
      const summaries = await customersOf(context, budget.businessId, [current]);
      const shown = present(current, summaries);
      if (hash !== null && hash !== shown.hash) return err(changedSinceShown);
      if (answer === "decline") return noted(decideDecline(current, reason), given);
      const chosen = withSelection(current, selection ?? [], context.rounding);
      if (chosen.isErr()) return err(chosen.error);
      const accepting = decideAcceptance(chosen.value, by, reason, now, signature);
      const decided = noted(
        accepting.andThrough(() => checkNotWaiting(current)),
        given,
      );
      if (decided.isErr()) return err(decided.error);
      const { budget: accepted, events } = decided.value;
      const result = present(reviseBudget(current, accepted, actor, now), summaries);
      if (input.total !== undefined && input.total !== result.total) return err(otherTotal(result.total));
      const evidence = await signEvidence(context, {
        current,
        content: shownContentOf(result),
        offer: isOpen(current) ? { content: shownContentOf(shown), selection: selectionOf(accepted) } : null,
        actor,
        facts: factsOf(input, sender, result),
        now,
      });
      const fields = contentChanges(current, accepted);
      const configured = fields.length === 0 ? [] : [updated(current.status, fields)];
      return ok({ budget: { ...accepted, evidence }, events: [...configured, ...events] });
    },
    present,
    ignoresQuota: true,
  });
  return orRepeated(context, token, given, answered, now);
}

/** Whether the customer decides on a line. */
function isOpen({ items }: Budget): boolean {
  return items.some(isConfigurable);
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

/** The customer has read another amount than the one that they would accept. */
function otherTotal(total: number): Problem {
  const message =
    "The selection comes to another total than the one that was shown; look at it again before answering.";
  return { kind: "conflict", message, details: { total } };
}

const changedSinceShown: Problem = {
  kind: "conflict",
  message: "The budget has changed since it was shown; look at it again before answering.",
  details: {},
};
