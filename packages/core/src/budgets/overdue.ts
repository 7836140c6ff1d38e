import type { Instant } from "../kernel/clock.js";
import type { Budget, BudgetStatus } from "./budget.js";
import type { BudgetQuery } from "./budget-store.js";

/** True for a PENDING budget that has reached its validity date. Source: contract, Budget states. */
export function isOverdue(budget: Budget, now: Instant): budget is Budget & { readonly validUntil: Instant } {
  return budget.status === "PENDING" && budget.validUntil !== null && budget.validUntil <= now;
}

/**
 * The budget as of `now`: an overdue one is EXPIRED since its validity date. This is exactly what the sweep writes, the
 * version included, so a response is the same before and after the sweep, and so is the meaning of its ETag.
 */
export function asOf(budget: Budget, now: Instant): Budget {
  if (!isOverdue(budget, now)) return budget;
  const { answerDigest: _fallen, ...stored } = budget;
  const updatedAt = Math.max(budget.updatedAt, budget.validUntil);
  return { ...stored, status: "EXPIRED", acceptance: null, version: budget.version + 1, updatedAt };
}

/** Rows of a list by their stored status. */
export interface ListPart {
  readonly status: BudgetStatus | null; // null = all that the query lists
  readonly overdue: "only" | "without" | "any"; // `only` = PENDING rows that the list shows as EXPIRED
}

export const OVERDUE_PART: ListPart = { status: "PENDING", overdue: "only" };

/**
 * The stored rows that make up a list, for stores that filter and sort by the stored status. The parts have no row in
 * common. An order by another field than the status needs no parts: a row keeps its position when it expires.
 */
export function listPartsOf({ status, sort }: Pick<BudgetQuery, "status" | "sort">): readonly ListPart[] {
  if (status === "PENDING") return [{ status, overdue: "without" }];
  if (status === "EXPIRED") return [{ status, overdue: "any" }, OVERDUE_PART];
  if (status === null && sort === "status") return [{ status, overdue: "without" }, OVERDUE_PART];
  return [{ status, overdue: "any" }];
}
