import { err, ok, type Result } from "neverthrow";
import type { EventType } from "../events/event.js";
import { type Actor, hasScope, type Scope } from "../kernel/actor.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import type { BudgetStatus } from "./budget.js";

/** Triggers of a move: an operation, an answer on the public link, a payment that confirms the budget, or time. */
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

export interface Transition {
  /** Its name in `availableActions`. */
  readonly action: string;
  /** Status before. */
  readonly from: BudgetStatus;
  /** Status after. */
  readonly to: BudgetStatus;
  /** What causes it. */
  readonly by: readonly Trigger[];
  /** The event that it makes. */
  readonly event: EventType;
}

/**
 * Every move of a budget, except deletion, which is possible from any status, and restoring, which reverts it.
 * The checks and `availableActions` read this table. A test compares docs/budgets.md with it.
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

/** The move from one status to another by a trigger. Errors: INVALID_TRANSITION, with the allowed statuses and actions. */
export function findTransition(from: BudgetStatus, to: BudgetStatus, by: Trigger): Result<Transition, Problem> {
  const move = TRANSITIONS.find((each) => each.from === from && each.to === to && each.by.includes(by));
  return move === undefined ? err(invalidTransition(from, to, by)) : ok(move);
}

/** Names the moves that are open instead. A customer on the public link has only those of the link. */
export function invalidTransition(from: BudgetStatus, to: BudgetStatus, by: Trigger): Problem {
  const moves = TRANSITIONS.filter((move) => move.from === from && (by !== "link" || move.by.includes("link")));
  const allowed = moves.map((move) => move.to);
  const actions = moves.map((move) => move.action);
  const message = `This operation does not lead a budget from ${from} to ${to}.`;
  return brokenRule("INVALID_TRANSITION", message, { from, to, allowed, actions });
}

/** The actions after which the content can change; for a budget that stays locked, the one that makes an editable copy. */
export function actionsToEdit(status: BudgetStatus): readonly string[] {
  const moves = TRANSITIONS.filter((move) => move.from === status && isEditable(move.to));
  return moves.length > 0 ? moves.map((move) => move.action) : ["duplicate"];
}

/** The scope of the operation behind every action. `tests/service/available-actions.test.ts` compares it with the route table. */
const ACTION_SCOPE: Scope = "WRITE_BUDGETS";

/** The names of the actions that a budget of this status allows this caller. */
export function availableActionsOf(status: BudgetStatus, actor: Actor): readonly string[] {
  return hasScope(actor, ACTION_SCOPE) ? ACTIONS[status] : [];
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
  const share = status === "DRAFT" ? [] : ["share"]; // the link of a draft shows nothing
  return [...(isEditable(status) ? ["update"] : []), ...moves, ...share, "duplicate", "delete"];
}
