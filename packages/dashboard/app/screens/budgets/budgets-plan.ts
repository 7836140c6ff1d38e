import type { BudgetEntry, ListBudgetsQuery } from "@budgetkit/client";
import { withoutDust } from "../../formats/formats.js";
import type { BudgetsSearch } from "./budgets-search.js";

/** How the budgets of a search are read: lists one after the other, and what of them is shown. */
export interface BudgetsPlan {
  readonly queries: readonly ListBudgetsQuery[];
  /** Null = each budget of the lists. */
  readonly keeps: ((budget: BudgetEntry) => boolean) | null;
}

const EXPIRING_DAYS = 7;
const DAY_MS = 86_400_000;
const PAGE = 100;

/** The interface has no filter for the views, for a currency and for deleted budgets alone: these are picked out here. */
export function planOf(search: BudgetsSearch, nowMs: number): BudgetsPlan {
  const { view, status, currency, includeDeleted, sort, order, ...filters } = search;
  const shared: ListBudgetsQuery = {
    limit: PAGE,
    ...filters,
    ...(sort === undefined ? {} : { sort }),
    ...(order === undefined ? {} : { order }),
    ...(includeDeleted || status === "DELETED" ? { includeDeleted: true } : {}),
  };
  const picks: ((budget: BudgetEntry) => boolean)[] = [];
  if (currency !== undefined) picks.push((budget) => budget.currency === currency);
  if (status === "DELETED") picks.push((budget) => budget.status === "DELETED");
  if (view === "expiring") picks.push((budget) => expiresSoon(budget, nowMs));
  if (view === "collect") picks.push((budget) => openAmount(budget) > 0);
  return {
    queries: statusesOf(view, status).map((each) => (each === undefined ? shared : { ...shared, status: each })),
    keeps: picks.length === 0 ? null : (budget) => picks.every((pick) => pick(budget)),
  };
}

/** What is payable and not paid. */
export function openAmount(budget: Pick<BudgetEntry, "total" | "payable" | "paid">): number {
  return withoutDust((budget.payable ?? budget.total) - budget.paid);
}

function expiresSoon({ status, validUntil }: Pick<BudgetEntry, "status" | "validUntil">, nowMs: number) {
  if (status !== "PENDING" || validUntil === null) return false;
  const end = Date.parse(validUntil);
  return end >= nowMs && end <= nowMs + EXPIRING_DAYS * DAY_MS;
}

type ListedStatus = ListBudgetsQuery["status"];

const WON: readonly ListedStatus[] = ["APPROVED", "COMPLETED", "ARCHIVED"];

function statusesOf(view: BudgetsSearch["view"], status: BudgetsSearch["status"]): readonly ListedStatus[] {
  if (status === "DELETED") return [undefined];
  if (status !== undefined) return [status];
  if (view === "collect") return WON;
  return view === "expiring" ? ["PENDING"] : [undefined];
}
