import {
  BUDGET_SORTS,
  type Budget,
  type BudgetSort,
  type BudgetStatus,
  insertBudgetCommit,
  type Store,
} from "@budgetkit/core/store";
import { aBudget, FIXTURE_TIME } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";

const ORDERS = ["asc", "desc"] as const;

/** A budget of the sample, in the units of a list query. */
export interface Sample {
  readonly id: string;
  readonly status: BudgetStatus;
  readonly currency: string;
  readonly minor: number;
  readonly major: number; // the same amount as the wire writes it
  readonly created: number; // milliseconds after FIXTURE_TIME
  readonly customer: string;
}

function sample(
  id: string,
  status: BudgetStatus,
  [currency, minor, major]: readonly [string, number, number],
  created: number,
  customer: string,
): Sample {
  return { id, status, currency, minor, major, created, customer };
}

/** Ties of every kind: equal amounts in three currencies, equal moments, ids whose text order is not their own. */
export const SAMPLES: readonly Sample[] = [
  sample("9", "PENDING", ["USD", 1_000, 10], 0, "500"),
  sample("10", "PENDING", ["JPY", 10, 10], 0, "500"),
  sample("100", "PENDING", ["BHD", 10_000, 10], 0, "cus:a"),
  sample("11", "PENDING", ["BHD", 10_001, 10.001], 1, "cus:a"),
  sample("12", "DRAFT", ["USD", 1_001, 10.01], 2, "500"),
  sample("13", "APPROVED", ["JPY", 1_000, 1_000], 2, "500"),
  sample("14", "REJECTED", ["USD", 99_999, 999.99], 3, "cus:a"),
  sample("15", "EXPIRED", ["USD", 0, 0], 4, "501"),
  sample("16", "COMPLETED", ["BHD", 999, 0.999], 5, "501"),
  sample("17", "ARCHIVED", ["USD", 99, 0.99], 5, "500"),
  sample("18", "DELETED", ["USD", 1_000, 10], 5, "500"),
  sample("19", "DELETED", ["JPY", 5, 5], 6, "cus:a"),
  sample("20", "APPROVED", ["USD", 1_000, 10], 7, "CUS:A"),
  sample("21", "APPROVED", ["USD", 1_000, 10], 7, "500"),
  sample("8", "APPROVED", ["USD", 1_000, 10], 7, "500"),
  sample("1000", "DRAFT", ["USD", Number.MAX_SAFE_INTEGER, 90_071_992_547_409.91], 8, "500"),
];

/** When a budget of the sample was created. */
export const at = (milliseconds: number): number => FIXTURE_TIME + milliseconds;

/** The samples from the smallest to the largest, as each order means it. */
const ASCENDING: Readonly<Record<BudgetSort, readonly string[]>> = {
  createdAt: ["9", "10", "100", "11", "12", "13", "14", "15", "16", "17", "18", "19", "8", "20", "21", "1000"],
  total: ["15", "17", "16", "19", "9", "10", "100", "18", "8", "20", "21", "11", "12", "14", "13", "1000"],
  status: ["13", "8", "20", "21", "17", "16", "18", "19", "12", "1000", "15", "9", "10", "100", "11", "14"],
};

/** Adds the samples in an order that is none of those that lists have. */
export async function fill(store: Store): Promise<void> {
  const shuffled = [...SAMPLES.filter((_, index) => index % 3 === 1), ...SAMPLES.filter((_, index) => index % 3 !== 1)];
  await Promise.all(shuffled.map((one) => outcomeOf(store, insertBudgetCommit(budgetOf(one)))));
}

function budgetOf({ id, status, currency, minor, created, customer }: Sample): Budget {
  const deletion = status === "DELETED" ? ({ deletedAt: at(60), from: "PENDING" } as const) : null;
  return aBudget({ id, status, currency, total: minor, createdAt: at(created), customerId: customer, deletion });
}

export function sortings(): [sort: BudgetSort, order: "asc" | "desc"][] {
  return BUDGET_SORTS.flatMap((sort) => ORDERS.map((order): [BudgetSort, "asc" | "desc"] => [sort, order]));
}

export function inOrder(sort: BudgetSort, order: "asc" | "desc"): readonly string[] {
  return order === "asc" ? ASCENDING[sort] : [...ASCENDING[sort]].reverse();
}

export function idsOf(budgets: readonly Budget[]): string[] {
  return budgets.map((budget) => budget.id);
}
