import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Instant } from "../../kernel/clock.js";
import { notFound, type Problem } from "../../kernel/problem.js";
import type { Budget } from "../budget.js";
import type { BudgetContext } from "../budget-context.js";
import { findByToken } from "../offer/public-token.js";
import type { PublicBudgetView } from "../offer/public-view.js";
import { type Selection, selectionSchema, stillOffered, withSelection } from "../offer/selection.js";
import { asOf } from "../overdue.js";
import { customersOf } from "../references/summaries.js";
import { findTransition } from "../transitions.js";
import { presentPublicly } from "./public-link.js";

export const previewSelectionSchema = z
  .object({
    /** What the customer sets of the offer. A line that it does not name stays as it is. */
    selection: selectionSchema,
  })
  .meta({ id: "PublicPreview" });
export type PreviewSelectionInput = z.output<typeof previewSelectionSchema>;

/**
 * The offer behind a link with a selection, as an acceptance with it would make it. Stores nothing. Version, revision and
 * hash are those of the offer, so that an acceptance can name them.
 * Errors: not-found; INVALID_TRANSITION when it does not wait for an answer; those of withSelection.
 */
export async function previewPublicLink(
  context: BudgetContext,
  token: string,
  { selection }: PreviewSelectionInput,
  now: Instant = context.clock.now(),
): Promise<Result<PublicBudgetView, Problem>> {
  return configured(context, token, now, (budget) =>
    findTransition(budget.status, "APPROVED", "link").andThen(() => withSelection(budget, selection, context.rounding)),
  );
}

/** The offer behind a link with what it still has of a selection. Errors: not-found. */
export async function openWithSelection(
  context: BudgetContext,
  token: string,
  selection: Selection,
  now: Instant,
): Promise<Result<PublicBudgetView, Problem>> {
  return configured(context, token, now, (budget) => {
    const kept = withSelection(budget, stillOffered(budget, selection), context.rounding);
    return ok(kept.unwrapOr(budget));
  });
}

async function configured(
  context: BudgetContext,
  token: string,
  now: Instant,
  choose: (budget: Budget) => Result<Budget, Problem>,
): Promise<Result<PublicBudgetView, Problem>> {
  const stored = await findByToken(context, token);
  if (stored === null) return err(notFound("publicLink", ""));
  const budget = asOf(stored, now);
  const chosen = choose(budget);
  if (chosen.isErr()) return err(chosen.error);
  const [present, summaries] = await Promise.all([
    presentPublicly(context, budget, token),
    customersOf(context, budget.businessId, [budget]),
  ]);
  const { hash } = present(budget, summaries);
  return ok({ ...present(chosen.value, summaries), hash });
}
