import type { BudgetEntry } from "@budgetkit/client";

export interface CustomerSum {
  readonly currency: string;
  readonly won: number;
  readonly waiting: number;
}

const WON: readonly string[] = ["APPROVED", "COMPLETED", "ARCHIVED"];

type Summed = Pick<BudgetEntry, "currency" | "total" | "status" | "deletedAt">;

/** What was won and what waits for an answer, by currency; the one with most of both first. */
export function customerSums(budgets: readonly Summed[]): readonly CustomerSum[] {
  const sums = new Map<string, CustomerSum>();
  for (const { currency, total, status, deletedAt } of budgets) {
    if (deletedAt !== undefined) continue;
    const { won, waiting } = sums.get(currency) ?? { won: 0, waiting: 0 };
    sums.set(currency, {
      currency,
      won: WON.includes(status) ? won + total : won,
      waiting: status === "PENDING" ? waiting + total : waiting,
    });
  }
  return [...sums.values()]
    .filter(({ won, waiting }) => won > 0 || waiting > 0)
    .sort((a, b) => b.won + b.waiting - (a.won + a.waiting));
}
