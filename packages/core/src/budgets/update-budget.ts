import { isDeepStrictEqual } from "node:util";
import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { type Actor, actorLabel } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import type { Rounding } from "../kernel/decimal.js";
import {
  amount,
  description,
  hostId,
  metadata,
  notes,
  quantity,
  SIZES,
  taxRate,
  unitPrice,
  wireDate,
} from "../kernel/fields.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import type { Budget, BudgetStatus } from "./budget.js";
import type { BudgetContext, WriteOptions } from "./budget-context.js";
import type { EventDraft } from "./budget-event.js";
import { type BudgetView, budgetViewOf } from "./budget-view.js";
import { changeBudget, type Decision } from "./change-budget.js";
import { packItems } from "./package-snapshot.js";
import { checkReferences, newlyNaming } from "./references.js";
import { type ItemChange, reprice } from "./reprice.js";
import { contentChanges } from "./revision.js";
import { findTransition, isEditable, type Transition } from "./transitions.js";
import { checkStillValid, validityOf } from "./validity.js";

/** With an id the item is one of the budget's, and takes the fields given; without one it is new and needs them all. */
const updateItemSchema = z
  .object({
    id: z.string().max(SIZES.id).optional(),
    productId: hostId.nullish(),
    variantId: hostId.nullish(),
    packageId: hostId.nullish(),
    description: description.optional(),
    quantity: quantity.optional(),
    unitPrice: unitPrice.optional(),
  })
  .transform(({ id, ...fields }, context): ItemChange => {
    if (id !== undefined) return { id, fields };
    const { description, quantity, unitPrice, ...rest } = fields;
    if (description !== undefined && quantity !== undefined && unitPrice !== undefined) {
      return { id: null, fields: { ...rest, description, quantity, unitPrice } };
    }
    for (const [field, value] of Object.entries({ description, quantity, unitPrice })) {
      if (value !== undefined) continue;
      context.addIssue({ code: "custom", path: [field], message: "is required", params: { code: "REQUIRED" } });
    }
    return z.NEVER;
  })
  .meta({ id: "UpdateBudgetItem" });

/** Source: contract, Update budget. */
export const updateBudgetSchema = z
  .object({
    status: z.enum(["PENDING", "APPROVED", "REJECTED", "EXPIRED"]).optional(),
    notes: notes.nullish(),
    validUntil: wireDate.nullish(),
    items: z.array(updateItemSchema).min(1).max(SIZES.items).optional(),
    taxRate: taxRate.optional(),
    discountAmount: amount.optional(),
    metadata: metadata.optional(),
  })
  .meta({ id: "UpdateBudget" });
export type UpdateBudgetInput = z.output<typeof updateBudgetSchema>;

/**
 * Changes a budget's content, its status, or both in one step.
 * Errors: those of changeBudget; INVALID_TRANSITION, BUDGET_LOCKED, VALIDITY_IN_THE_PAST, UNKNOWN_ITEM,
 * UNKNOWN_REFERENCE, PRODUCT_AND_PACKAGE and those of the totals and of packItems.
 */
export function updateBudget(
  context: BudgetContext,
  actor: Actor,
  id: string,
  input: UpdateBudgetInput,
  options: WriteOptions<BudgetView> = {},
): Promise<Result<BudgetView, Problem>> {
  return changeBudget(context, actor, id, options, {
    decide: async (current, now) => {
      const validUntil =
        input.validUntil === undefined
          ? current.validUntil
          : await validityOf(context, actor.businessId, input.validUntil);
      const newIds = await context.ids.take(countNew(input));
      const edited = editContent(current, input, validUntil, newIds, context.rounding);
      if (edited.isErr()) return err(edited.error);
      const items = newlyNaming(edited.value.items, current.items);
      const known = await checkReferences(context, actor.businessId, { customerId: null, items });
      if (known.isErr()) return err(known.error);
      const packed = await packItems(context, actor.businessId, edited.value.items, items);
      if (packed.isErr()) return err(packed.error);
      const next = { ...edited.value, items: packed.value };
      return decideUpdate(current, next, input.status ?? current.status, actor, now);
    },
    present: budgetViewOf,
  });
}

function countNew({ items = [] }: UpdateBudgetInput): number {
  return items.filter((item) => item.id === null).length;
}

/** The budget with the content fields of the request in it. */
function editContent(
  current: Budget,
  input: UpdateBudgetInput,
  validUntil: Instant | null,
  newIds: readonly string[],
  rounding: Rounding,
): Result<Budget, Problem> {
  const edited: Budget = {
    ...current,
    validUntil,
    notes: input.notes === undefined ? current.notes : input.notes,
    metadata: input.metadata ?? current.metadata,
  };
  if (input.items === undefined && input.taxRate === undefined && input.discountAmount === undefined) return ok(edited);
  return reprice(edited, input, newIds, rounding);
}

/**
 * Checks the change of content and the move against the rules; pure. An acceptance that waits ends with either: the
 * customer accepted something else.
 */
function decideUpdate(
  current: Budget,
  edited: Budget,
  status: BudgetStatus,
  actor: Actor,
  now: Instant,
): Result<Decision, Problem> {
  const content = contentChanges(current, edited);
  const isOtherOffer = content.length > 0 && current.acceptance !== null;
  const fields: string[] = [
    ...content,
    ...(isDeepStrictEqual(current.metadata, edited.metadata) ? [] : ["metadata"]),
    ...(isOtherOffer ? ["acceptance"] : []),
  ];
  let move: Transition | null = null;
  if (status !== current.status) {
    const found = findTransition(current.status, status, "update");
    if (found.isErr()) return err(found.error);
    move = found.value;
  }
  if (content.length > 0 && !isEditable(current.status) && move?.to !== "PENDING") {
    return err(locked(current.status, content));
  }
  if (content.includes("validUntil") || move?.to === "PENDING") {
    const valid = checkStillValid(edited.validUntil, now);
    if (valid.isErr()) return err(valid.error);
  }
  const approval = move?.to === "APPROVED" ? { approvedAt: now, approvedBy: actorLabel(actor) } : {};
  const acceptance = isOtherOffer || move !== null ? null : current.acceptance;
  return ok({ budget: { ...edited, ...approval, acceptance, status }, events: eventsOf(current.status, fields, move) });
}

/** A field change is told first; a move to PENDING is itself an update and is told once, with its fields. */
function eventsOf(from: BudgetStatus, fields: readonly string[], move: Transition | null): EventDraft[] {
  const changed: EventDraft = { type: "budget.updated", fields, from, to: from, reason: null };
  if (move === null) return fields.length === 0 ? [] : [changed];
  if (move.event === "budget.updated") {
    return [{ ...changed, fields: [...fields, "status"], to: move.to }];
  }
  const moved: EventDraft = { type: move.event, fields: ["status"], from, to: move.to, reason: null };
  return fields.length === 0 ? [moved] : [changed, moved];
}

function locked(status: BudgetStatus, fields: readonly string[]): Problem {
  return brokenRule("BUDGET_LOCKED", `The content of a budget that is ${status} cannot change.`, { status, fields });
}
