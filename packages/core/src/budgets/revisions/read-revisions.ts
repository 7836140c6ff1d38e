import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Actor } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import { parseId } from "../../kernel/ids.js";
import { type PageRequest, paginationOf } from "../../kernel/page.js";
import { notFound, type Problem } from "../../kernel/problem.js";
import type { Budget } from "../budget.js";
import type { BudgetContext } from "../budget-context.js";
import type { RevisionEntry } from "../budget-store.js";
import { findCurrentBudget } from "../lifecycle/find-budget.js";
import { asOf } from "../overdue.js";
import { customersOf } from "../references/summaries.js";
import { differenceOf, type RevisionDifference } from "./revision-difference.js";
import { type RevisionList, type RevisionView, revisionEntryViewOf, revisionViewOf } from "./revision-view.js";

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

/** The revisions of a budget, newest first, without their content. Errors: those of findBudget. */
export async function listRevisions(
  context: BudgetContext,
  actor: Actor,
  id: string,
  input: PageRequest,
  now: Instant = context.clock.now(),
): Promise<Result<RevisionList, Problem>> {
  const budget = await findCurrentBudget(context, actor.businessId, id, now);
  if (budget.isErr()) return err(budget.error);
  const page = await context.store.listRevisions(actor.businessId, id, input.limit, (input.page - 1) * input.limit);
  const entries = page.entries.map((entry) => currentEntry(entry, budget.value));
  return ok({ data: entries.map(revisionEntryViewOf), pagination: paginationOf(input, page) });
}

/** The present revision of an overdue budget is EXPIRED before the sweep writes it. */
function currentEntry(entry: RevisionEntry, { revision, version, status }: Budget): RevisionEntry {
  return entry.revision === revision && entry.version < version ? { ...entry, version, status } : entry;
}

/**
 * One revision with its content; the present one too. `revision` is a number or its digits.
 * Errors: not-found, of the budget or the revision.
 */
export async function getRevision(
  context: BudgetContext,
  actor: Actor,
  id: string,
  revision: number | string,
  now: Instant = context.clock.now(),
): Promise<Result<RevisionView, Problem>> {
  const budget = await findCurrentBudget(context, actor.businessId, id, now);
  if (budget.isErr()) return err(budget.error);
  return viewOf(context, actor, budget.value, revision, now);
}

/** The changes from one revision to another, in either direction. Errors: as {@link getRevision}, for both. */
export async function compareRevisions(
  context: BudgetContext,
  actor: Actor,
  id: string,
  revision: number | string,
  input: CompareRevisionsInput,
  now: Instant = context.clock.now(),
): Promise<Result<RevisionDifference, Problem>> {
  const budget = await findCurrentBudget(context, actor.businessId, id, now);
  if (budget.isErr()) return err(budget.error);
  const to = await viewOf(context, actor, budget.value, revision, now);
  if (to.isErr()) return err(to.error);
  const from = await viewOf(context, actor, budget.value, input.from ?? to.value.revision - 1, now);
  return from.map((former) => differenceOf(former, to.value));
}

async function viewOf(
  context: BudgetContext,
  actor: Actor,
  current: Budget,
  revision: number | string,
  now: Instant,
): Promise<Result<RevisionView, Problem>> {
  const { businessId, id } = current;
  const number = parseId(String(revision));
  const found = number === null ? null : await context.store.findRevision(businessId, id, number);
  if (found === null) return err(notFound("revision", String(revision)));
  const budget = number === current.revision ? asOf(found, now) : found;
  return ok(revisionViewOf(budget, await customersOf(context, businessId, [budget]), actor));
}
