import { type Budget, BudgetkitError } from "@budgetkit/client";
import { api } from "../../../start/api.js";
import type { EditedBudget } from "../document/edited-budget.js";
import { createBodyOf, updateBodyOf } from "../document/to-body.js";
import type { Saved } from "./editor-state.js";

/** A creation whose answer is not known. It is repeated as it was, so that there is never a second budget. */
export interface PendingCreation {
  readonly idempotencyKey: string;
  readonly sent: EditedBudget;
}

export interface SaveResult {
  readonly answer: Budget;
  readonly sent: EditedBudget;
}

/** Creates the budget as a draft. A budget whose creation may have worked is asked for again by the same key. */
export async function createBudget(pending: PendingCreation): Promise<SaveResult> {
  const { idempotencyKey, sent } = pending;
  return { answer: await api.budgets.create(createBodyOf(sent, true), { idempotencyKey }), sent };
}

/** Saves what differs. Errors: PRECONDITION_FAILED (412) where somebody saved it since. */
export async function updateBudget(budget: EditedBudget, saved: Saved): Promise<SaveResult> {
  const { id, ids, version } = saved;
  if (id === null) throw new Error("a budget is created before it is changed");
  const body = updateBodyOf(budget, saved.budget, (key) => ids[key] ?? key);
  return { answer: await api.budgets.update(id, body, { ifMatch: version }), sent: budget };
}

/** Whether the service may have done what was asked, though no answer came. */
export function isUncertain(error: unknown): boolean {
  return error instanceof BudgetkitError && (error.status === null || error.status >= 500);
}

export function isConflict(error: unknown): boolean {
  return error instanceof BudgetkitError && error.status === 412;
}

/** A key for one creation and its retries. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
