import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Actor } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import { parseId } from "../kernel/ids.js";
import { type PageRequest, paginationOf } from "../kernel/page.js";
import { notFound, type Problem } from "../kernel/problem.js";
import type { Budget } from "./budget.js";
import type { BudgetContext } from "./budget-context.js";
import { expireOverdue, isOverdue } from "./expire-budgets.js";
import { differenceOf, type RevisionDifference } from "./revision-difference.js";
import { type RevisionList, type RevisionView, revisionEntryViewOf, revisionViewOf } from "./revision-view.js";
import { customersOf } from "./summaries.js";

/** With which revision one is compared; the one before it by default. */
export const compareRevisionsSchema = z.object({
  from: z
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number in digits")
    .transform(Number)
    .meta({
      description: "The revision to compare with; the one before by default.",
      wire: { type: "integer", minimum: 1 },
    })
    .optional(),
});
export type CompareRevisionsInput = z.output<typeof compareRevisionsSchema>;

/** The revisions of a budget, newest first, without their content. Errors: not-found, as for the budget itself. */
export async function listRevisions(
  context: BudgetContext,
  actor: Actor,
  id: string,
  input: PageRequest,
  now: Instant = context.clock.now(),
): Promise<Result<RevisionList, Problem>> {
  const present = await presentOf(context, actor, id, now);
  if (present.isErr()) return err(present.error);
  const page = await context.store.listRevisions(actor.businessId, id, input.limit, (input.page - 1) * input.limit);
  return ok({ data: page.entries.map(revisionEntryViewOf), pagination: paginationOf(input, page) });
}

/**
 * A revision with all of its content, the present one as well. `revision` is a number or its digits.
 * Errors: not-found, of the budget or the revision.
 */
export async function getRevision(
  context: BudgetContext,
  actor: Actor,
  id: string,
  revision: number | string,
  now: Instant = context.clock.now(),
): Promise<Result<RevisionView, Problem>> {
  const present = await presentOf(context, actor, id, now);
  if (present.isErr()) return err(present.error);
  return viewOf(context, present.value, revision);
}

/** What changed from one revision to another, in either direction. Errors: as {@link getRevision}, for both. */
export async function compareRevisions(
  context: BudgetContext,
  actor: Actor,
  id: string,
  revision: number | string,
  input: CompareRevisionsInput,
  now: Instant = context.clock.now(),
): Promise<Result<RevisionDifference, Problem>> {
  const present = await presentOf(context, actor, id, now);
  if (present.isErr()) return err(present.error);
  const to = await viewOf(context, present.value, revision);
  if (to.isErr()) return err(to.error);
  const from = await viewOf(context, present.value, input.from ?? to.value.revision - 1);
  return from.map((former) => differenceOf(former, to.value));
}

/** The budget as it is now, expired if it is overdue. */
async function presentOf(
  context: BudgetContext,
  actor: Actor,
  id: string,
  now: Instant,
): Promise<Result<Budget, Problem>> {
  const budget = await context.store.findBudget(actor.businessId, id);
  if (budget === null || budget.deletion !== null) return err(notFound("budget", id));
  if (isOverdue(budget, now)) await expireOverdue(context, budget, now);
  return ok(budget);
}

async function viewOf(
  context: BudgetContext,
  { businessId, id }: Budget,
  revision: number | string,
): Promise<Result<RevisionView, Problem>> {
  const number = parseId(String(revision));
  const budget = number === null ? null : await context.store.findRevision(businessId, id, number);
  if (budget === null) return err(notFound("revision", String(revision)));
  return ok(revisionViewOf(budget, await customersOf(context, businessId, [budget])));
}
