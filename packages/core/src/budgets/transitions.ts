import { err, ok, type Result } from "neverthrow";
import type { EventType } from "../events/event.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import type { BudgetStatus } from "./budget.js";

/** What can set a move off: an operation, an answer on the public link, a payment that confirms one, or time. */
export type Trigger =
  | "update"
  | "submit"
  | "withdraw"
  | "reopen"
  | "complete"
  | "archive"
  | "delete"
  | "restore"
  | "link"
  | "payment"
  | "time";

/** One move of a budget. */
export interface Transition {
  readonly action: string; // its name in `availableActions`
  readonly from: BudgetStatus;
  readonly to: BudgetStatus;
  readonly by: readonly Trigger[];
  readonly event: EventType;
}

/**
 * Every move that a budget can make but for deletion, which is open from anywhere, and restoring, which leads back.
 * The checks and `availableActions` read this table, and docs/budgets.md is held to it.
 * Source: contract, States and transitions.
 */
export const TRANSITIONS: readonly Transition[] = [
  { action: "submit", from: "DRAFT", to: "PENDING", by: ["update", "submit"], event: "budget.updated" },
  { action: "approve", from: "PENDING", to: "APPROVED", by: ["update", "link", "payment"], event: "budget.approved" },
  { action: "reject", from: "PENDING", to: "REJECTED", by: ["update", "link"], event: "budget.rejected" },
  { action: "expire", from: "PENDING", to: "EXPIRED", by: ["update", "time"], event: "budget.expired" },
  { action: "withdraw", from: "PENDING", to: "DRAFT", by: ["withdraw"], event: "budget.updated" },
  { action: "revise", from: "REJECTED", to: "PENDING", by: ["update"], event: "budget.updated" },
  { action: "renew", from: "EXPIRED", to: "PENDING", by: ["update"], event: "budget.updated" },
  { action: "complete", from: "APPROVED", to: "COMPLETED", by: ["complete"], event: "budget.updated" },
  { action: "reopen", from: "APPROVED", to: "PENDING", by: ["reopen"], event: "budget.updated" },
  { action: "archive", from: "COMPLETED", to: "ARCHIVED", by: ["archive"], event: "budget.updated" },
];

/** The statuses in which items, rates, dates and notes may change. */
const EDITABLE: ReadonlySet<BudgetStatus> = new Set<BudgetStatus>(["DRAFT", "PENDING"]);

export function isEditable(status: BudgetStatus): boolean {
  return EDITABLE.has(status);
}

/** The move from one status to another by a trigger; INVALID_TRANSITION names where the budget may go, and by what. */
export function findTransition(from: BudgetStatus, to: BudgetStatus, by: Trigger): Result<Transition, Problem> {
  const move = TRANSITIONS.find((each) => each.from === from && each.to === to && each.by.includes(by));
  return move === undefined ? err(invalidTransition(from, to)) : ok(move);
}

export function invalidTransition(from: BudgetStatus, to: BudgetStatus): Problem {
  const moves = TRANSITIONS.filter((move) => move.from === from);
  const allowed = moves.map((move) => move.to);
  const actions = moves.map((move) => move.action);
  const message = `This operation does not lead a budget from ${from} to ${to}.`;
  return brokenRule("INVALID_TRANSITION", message, { from, to, allowed, actions });
}

/** What may be done with a budget of this status by name. */
export function availableActionsOf(status: BudgetStatus): readonly string[] {
  return ACTIONS[status];
}

const ACTIONS: Readonly<Record<BudgetStatus, readonly string[]>> = {
  DRAFT: actionsFrom("DRAFT"),
  PENDING: actionsFrom("PENDING"),
  APPROVED: actionsFrom("APPROVED"),
  REJECTED: actionsFrom("REJECTED"),
  EXPIRED: actionsFrom("EXPIRED"),
  COMPLETED: actionsFrom("COMPLETED"),
  ARCHIVED: actionsFrom("ARCHIVED"),
  DELETED: ["restore"],
};

function actionsFrom(status: BudgetStatus): readonly string[] {
  const moves = TRANSITIONS.filter((move) => move.from === status).map((move) => move.action);
  return [...(isEditable(status) ? ["update"] : []), ...moves, "duplicate", "delete"];
}
