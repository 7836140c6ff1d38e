import { isDeepStrictEqual } from "node:util";
import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { type Actor, actorLabel } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import { amount, metadata, notes, paymentUrl, SIZES, taxRate, terms, wireDate } from "../kernel/fields.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import { type Budget, type BudgetStatus, paymentUrlField } from "./budget.js";
import type { BudgetContext, WriteOptions } from "./budget-context.js";
import { type EventDraft, moved, updated } from "./budget-event.js";
import { checkBudgetSize } from "./budget-size.js";
import { type BudgetView, budgetViewOf } from "./budget-view.js";
import { changeBudget, type Decision } from "./lifecycle/change-budget.js";
import { asksNoMore, checkPaid, confirmIfPaid } from "./lifecycle/confirm-budget.js";
import { checkStillValid, validityOf } from "./lifecycle/validity.js";
import { updateLineSchema } from "./line-change.js";
import { depositInput, oneTaxation, taxesInput } from "./price-fields.js";
import { checkChoicesMade } from "./price-figures.js";
import { recordEvidence } from "./proof/record-evidence.js";
import { resolveItems } from "./references/package-snapshot.js";
import { newlyNaming } from "./references/references.js";
import { changesPrice, reprice } from "./reprice.js";
import { contentChanges, haveSameCosts } from "./revision.js";
import { settleChange } from "./settle-change.js";
import { actionsToEdit, findTransition, isEditable, type Transition } from "./transitions.js";

/** Source: contract, Update budget. */
export const updateBudgetSchema = z
  .object({
    /** The status to move to. */
    status: z.enum(["PENDING", "APPROVED", "REJECTED", "EXPIRED"]).optional(),
    /** Free text. */
    notes: notes.nullish(),
    /** Until when the offer holds. ISO 8601. */
    validUntil: wireDate.nullish(),
    /** All items: those left out are removed. */
    items: z.array(updateLineSchema).min(1).max(SIZES.items).optional(),
    /** Tax rate from 0 to 1. It replaces taxes, also those of lines. */
    taxRate: taxRate.optional(),
    /** Several taxes, in place of a taxRate: each itself, or the id of a named tax of the business. */
    taxes: taxesInput.optional(),
    /** Discount of the whole budget, in the currency's major unit. */
    discountAmount: amount.optional(),
    /** What must be paid before an acceptance counts; null = nothing. */
    deposit: depositInput.nullish(),
    /** The terms of this budget; null = those of the business. */
    terms: terms.nullish().describe("The terms of this budget; null = those of the business."),
    /** Where the customer pays, with https; null = where the business says. It may change after an answer, too. */
    paymentUrl: paymentUrl
      .nullish()
      .describe(
        "Where the customer pays, with https; null = where the business says. It may change after an answer, too.",
      ),
    /** Replaces the former data. */
    metadata: metadata.optional(),
  })
  .check(oneTaxation)
  .meta({ id: "UpdateBudget" });
/** The fields of a budget to change. */
export interface UpdateBudget extends z.input<typeof updateBudgetSchema> {}
export type UpdateBudgetInput = z.output<typeof updateBudgetSchema>;

/**
 * Changes the content of a budget, its status, or both in one step.
 * Errors: those of changeBudget; INVALID_TRANSITION, BUDGET_LOCKED, VALIDITY_IN_THE_PAST, UNKNOWN_ITEM,
 * UNKNOWN_REFERENCE, UNKNOWN_TAX, PRODUCT_AND_PACKAGE, TAX_RATE_REQUIRED, PAYMENT_EXCEEDS_TOTAL, BUDGET_TOO_LARGE and those of the
 * totals and of resolveItems.
 */
export function updateBudget(
  context: BudgetContext,
  actor: Actor,
  id: string,
  input: UpdateBudgetInput,
  options: WriteOptions = {},
): Promise<Result<BudgetView, Problem>> {
  return changeBudget(context, actor, id, options, {
    decide: async (current, now) => {
      const edited = await editContent(context, current, input);
      if (edited.isErr()) return err(edited.error);
      const sized = checkBudgetSize(edited.value, current);
      if (sized.isErr()) return err(sized.error);
      const decided = decideUpdate(current, edited.value, input.status ?? current.status, actor, now);
      return decided.isOk() && input.status === "APPROVED" && current.status !== "APPROVED"
        ? ok(await recordEvidence(context, current, decided.value, actor, now))
        : decided;
    },
    present: budgetViewOf,
  });
}

/** The budget with the content fields of the request, priced again and with its references checked. */
async function editContent(
  context: BudgetContext,
  current: Budget,
  input: UpdateBudgetInput,
): Promise<Result<Budget, Problem>> {
  const edited: Budget = {
    ...withPaymentUrl(withTerms(current, input.terms), input.paymentUrl),
    validUntil: await validityOf(context, current.businessId, input.validUntil, current.validUntil),
    notes: input.notes === undefined ? current.notes : input.notes,
    metadata: input.metadata ?? current.metadata,
  };
  if (!changesPrice(input)) return ok(edited);
  const settled = await settleChange(context, current, input);
  if (settled.isErr()) return err(settled.error);
  const { change, named } = settled.value;
  const added = (change.items ?? []).filter((item) => item.id === null);
  const newIds = await context.ids.take(current.businessId, added.length);
  const repriced = reprice(edited, change, newIds, context.rounding);
  if (repriced.isErr()) return repriced;
  const naming = newlyNaming(repriced.value.items, current.items);
  const resolved = await resolveItems(context, current.businessId, null, repriced.value.items, named, naming);
  return resolved.map((resolvedItems) => ({ ...repriced.value, items: resolvedItems }));
}

function withTerms(budget: Budget, terms: string | null | undefined): Budget {
  if (terms === undefined || terms === budget.terms) return budget;
  const { terms: _former, hasTermsOfBusiness: _mark, ...others } = budget;
  return terms === null ? others : { ...others, terms };
}

function withPaymentUrl(budget: Budget, url: string | null | undefined): Budget {
  if (url === undefined) return budget;
  const { paymentUrl: _former, ...others } = budget;
  return { ...others, ...paymentUrlField(url) };
}

/**
 * Checks the content and the move against the rules. A waiting acceptance ends with either, since it was for another
 * offer. A price that is only lower leaves it, and approves the budget if nothing more is due.
 */
export function decideUpdate(
  current: Budget,
  edited: Budget,
  status: BudgetStatus,
  actor: Actor,
  now: Instant,
): Result<Decision, Problem> {
  const found: Result<Transition | null, Problem> =
    status === current.status ? ok(null) : findTransition(current.status, status, "update");
  if (found.isErr()) return err(found.error);
  const move = found.value;
  const content = contentChanges(current, edited);
  if (content.length > 0 && !isEditable(current.status) && move?.to !== "PENDING") {
    return err(locked(current.status, content));
  }
  if (content.includes("validUntil") || move?.to === "PENDING") {
    const valid = checkStillValid(edited.validUntil, now);
    if (valid.isErr()) return err(valid.error);
  }
  const covered = checkPaid(current, edited);
  if (covered.isErr()) return err(covered.error);
  const chosen = move?.to === "APPROVED" ? checkChoicesMade(edited) : ok(undefined);
  if (chosen.isErr()) return err(chosen.error);
  const isOtherOffer = content.length > 0 && current.acceptance !== null && !asksNoMore(current, edited);
  const fields = [...content];
  if (!isDeepStrictEqual(current.metadata, edited.metadata)) fields.push("metadata");
  if (current.paymentUrl !== edited.paymentUrl) fields.push("paymentUrl");
  if (!haveSameCosts(current, edited)) fields.push("internalFigures");
  if (isOtherOffer) fields.push("acceptance");
  const approval = move?.to === "APPROVED" ? { approvedAt: now, approvedBy: actorLabel(actor) } : {};
  const acceptance = isOtherOffer || move !== null ? null : current.acceptance;
  const budget = { ...edited, ...approval, acceptance, status };
  return confirmIfPaid({ budget, events: eventsOf(current.status, fields, move) }, now);
}

/** The event of the changed fields, then that of the move. A move that is itself an update makes one event of both. */
function eventsOf(from: BudgetStatus, fields: readonly string[], move: Transition | null): EventDraft[] {
  const changed = updated(from, fields);
  if (move === null) return fields.length === 0 ? [] : [changed];
  if (move.event === "budget.updated") return [{ ...changed, fields: [...fields, "status"], to: move.to }];
  const event = moved(move.event, from, move.to);
  return fields.length === 0 ? [event] : [changed, event];
}

function locked(status: BudgetStatus, fields: readonly string[]): Problem {
  const message = `The content of a budget that is ${status} cannot change.`;
  return brokenRule("BUDGET_LOCKED", message, { status, fields, actions: actionsToEdit(status) });
}
