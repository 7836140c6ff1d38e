import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { type Actor, actorLabel, type Origin } from "../../kernel/actor.js";
import { type Instant, toTimestamp } from "../../kernel/clock.js";
import { SIZES, timestampView } from "../../kernel/fields.js";
import { brokenRule, notFound, type Problem } from "../../kernel/problem.js";
import type { Budget, ChangeRequest } from "../budget.js";
import type { BudgetContext } from "../budget-context.js";
import { changeBudget, type Decision } from "../lifecycle/change-budget.js";
import { findByToken } from "../offer/public-token.js";
import type { PublicBudgetView } from "../offer/public-view.js";
import type { CustomerAnswer } from "../repeated-answer.js";
import { findTransition } from "../transitions.js";
import { noted, orRepeated } from "./answer-public-link.js";
import { presentPublicly } from "./public-link.js";

/** A budget keeps its requests in its own document, which every read loads. */
const MAX_CHANGE_REQUESTS = 20;

export const changeRequestSchema = z
  .object({
    /** The version that was shown: 409 if it has changed since. */
    version: z.int().min(1).describe("The version that was shown: 409 if it has changed since."),
    /** Who asks. */
    name: z.string().trim().min(1).max(SIZES.name).default("customer").describe("Who asks."),
    /** The change, in the customer's words. */
    message: z.string().trim().min(1).max(SIZES.description).describe("The change, in the customer's words."),
  })
  .meta({ id: "RequestChange" });
export type RequestChangeInput = z.output<typeof changeRequestSchema>;

export const changeRequestViewSchema = z
  .object({
    /** The change, in the customer's words. */
    message: z.string(),
    /** Who asked: `customer:` and the name. */
    requestedBy: z.string().describe("`customer:` and the name."),
    /** ISO 8601, in UTC. */
    requestedAt: timestampView,
    /** The revision that the customer saw. */
    revision: z.int().describe("The revision that the customer saw."),
  })
  .meta({ id: "ChangeRequest" });
export type ChangeRequestView = z.infer<typeof changeRequestViewSchema>;

/**
 * Records what the customer wants changed. The budget stays PENDING. The same request, made again, changes nothing while it stands.
 * Errors: those of answerPublicLink; TOO_MANY_CHANGE_REQUESTS.
 */
export async function requestChange(
  context: BudgetContext,
  token: string,
  input: RequestChangeInput,
  now: Instant = context.clock.now(),
  origin?: Origin,
): Promise<Result<PublicBudgetView, Problem>> {
  const budget = await findByToken(context, token);
  if (budget === null) return err(notFound("publicLink", ""));
  const { businessId } = budget;
  const actor: Actor = { kind: "customer", businessId, name: input.name, ...(origin === undefined ? {} : { origin }) };
  const { version, message } = input;
  const by = actorLabel(actor);
  const given: CustomerAnswer = { kind: "requestChange", version, by, text: message, signature: null, hash: null };
  const present = await presentPublicly(context, budget, token);
  const options = { now, expectedVersion: version };
  const changed = await changeBudget<PublicBudgetView>(context, actor, budget.id, options, {
    decide: (current) => noted(decideRequest(current, message, by, now), given),
    present,
    ignoresQuota: true,
  });
  return orRepeated(context, token, given, changed, now);
}

function decideRequest(current: Budget, message: string, by: string, now: Instant): Result<Decision, Problem> {
  const { status, revision, acceptance, changeRequests = [] } = current;
  const answerable = findTransition(status, "REJECTED", "link");
  if (answerable.isErr()) return err(answerable.error);
  if (acceptance !== null) return err(acceptedAlready);
  if (changeRequests.length >= MAX_CHANGE_REQUESTS) return err(tooMany);
  const request: ChangeRequest = { message, by, at: now, revision };
  const data = { changeRequest: viewOf(request) };
  const fields = ["changeRequests"];
  const event = { type: "budget.change_requested", fields, from: status, to: status, reason: message, data } as const;
  return ok({ budget: { ...current, changeRequests: [...changeRequests, request] }, events: [event] });
}

/** The customer's requests, newest first. Errors: not-found. */
export async function listChangeRequests(
  { store }: BudgetContext,
  actor: Actor,
  id: string,
): Promise<Result<ChangeRequestView[], Problem>> {
  const budget = await store.findBudget(actor.businessId, id);
  if (budget === null || budget.deletion !== null) return err(notFound("budget", id));
  return ok((budget.changeRequests ?? []).map(viewOf).reverse());
}

function viewOf({ message, by, at, revision }: ChangeRequest): ChangeRequestView {
  return { message, requestedBy: by, requestedAt: toTimestamp(at), revision };
}

const acceptedAlready = brokenRule(
  "ALREADY_ACCEPTED",
  "The budget was accepted already. Decline it, or ask the business directly.",
);

const tooMany = brokenRule(
  "TOO_MANY_CHANGE_REQUESTS",
  `A budget takes at most ${MAX_CHANGE_REQUESTS} requests for a change. Ask the business directly.`,
  { max: MAX_CHANGE_REQUESTS },
);
