import type { BudgetService, BudgetView } from "@budgetkit/core";
import type { ImportedBudget } from "./import-line.js";
import type { ImportTarget } from "./import-record.js";

type Status = BudgetView["status"];
type BudgetResult = ReturnType<BudgetService["budgets"]["submit"]>;

/** The status before each status. */
const BEFORE: Readonly<Partial<Record<Status, Status>>> = {
  APPROVED: "PENDING",
  REJECTED: "PENDING",
  EXPIRED: "PENDING",
  COMPLETED: "APPROVED",
  ARCHIVED: "COMPLETED",
};

/** The next status on the path from one to another; null = no path, or none is needed. */
export function nextStatus(from: Status, to: Status): Status | null {
  if (from === to) return null;
  if (to === "PENDING") return from === "DRAFT" || from === "EXPIRED" || from === "REJECTED" ? "PENDING" : null;
  const before = BEFORE[to];
  if (before === undefined) return null;
  return from === before ? to : nextStatus(from, before);
}

/** An imported budget keeps its number and terms, or has none. */
export function importedOf({ number }: ImportedBudget): { readonly number: string | null } {
  return { number: number ?? null };
}

/** Moves a budget at the original time of the move, where it is known. */
export function moveTo(
  { service, actor }: ImportTarget,
  id: string,
  status: Status,
  budget: ImportedBudget,
): BudgetResult {
  const { budgets } = service;
  const options = { now: momentOf(status, budget), imported: importedOf(budget) };
  switch (status) {
    case "PENDING":
    case "APPROVED":
    case "REJECTED":
    case "EXPIRED":
      return budgets.update(actor, id, { status }, options);
    case "COMPLETED":
      return budgets.complete(actor, id, options);
    default:
      return budgets.archive(actor, id, options);
  }
}

function momentOf(status: Status, { createdAt, updatedAt, approvedAt, validUntil }: ImportedBudget): number {
  if (status === "PENDING") return Date.parse(createdAt);
  if (status === "APPROVED") return Date.parse(approvedAt ?? updatedAt);
  const last = Date.parse(updatedAt);
  const isAnswer = status === "REJECTED" || status === "EXPIRED";
  return isAnswer && validUntil !== null ? Math.min(last, Date.parse(validUntil) - 1) : last; // an overdue one expires first
}
