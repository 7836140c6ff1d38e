import type { BudgetEntry } from "@budgetkit/client";
import { type ShownState, shownStateOf } from "../../../components/state-glyph.js";
import { openAmount } from "../budgets-plan.js";

/** What a row shows. Lines are left out, so that thousands of rows are little in memory. */
export interface BudgetSummary {
  readonly id: string;
  readonly number: string | null; // null = it has none yet
  readonly version: number;
  readonly status: BudgetEntry["status"];
  readonly state: ShownState;
  readonly customerId: string;
  readonly customerName: string;
  readonly customerEmail: string | null;
  readonly firstLine: string;
  readonly total: number;
  readonly payable: number;
  readonly paid: number;
  readonly open: number;
  readonly currency: string;
  readonly validUntil: string | null; // null = for ever
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly views: number;
}

const LONGEST_LINE = 120;

export function summaryOf(budget: BudgetEntry): BudgetSummary {
  const line =
    budget.items.find((item) => item.kind === undefined) ?? budget.items.find((item) => "description" in item);
  return {
    id: budget.id,
    number: budget.number ?? null,
    version: budget.version,
    status: budget.status,
    state: shownStateOf(budget),
    customerId: budget.customerId,
    customerName: budget.customer.name ?? budget.customer.email ?? "",
    customerEmail: budget.customer.email,
    firstLine: line !== undefined && "description" in line ? line.description.slice(0, LONGEST_LINE) : "",
    total: budget.total,
    payable: budget.payable ?? budget.total,
    paid: budget.paid,
    open: openAmount(budget),
    currency: budget.currency,
    validUntil: budget.validUntil,
    createdAt: budget.createdAt,
    updatedAt: budget.updatedAt,
    views: budget.views?.count ?? 0,
  };
}
