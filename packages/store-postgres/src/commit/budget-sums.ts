import type { Budget } from "@budgetkit/core/store";
import type { Statements } from "../engine/statements.js";
import type { Transaction } from "../engine/transaction.js";

/** The fields of a budget that the sums depend on. */
export type Summed = Pick<Budget, "status" | "currency" | "total">;

/** What a transaction changes in the sums of budgets. */
export interface BudgetSums {
  add(budget: Summed): void;
  move(from: Summed, to: Summed): void;
  /** Writes the changes. */
  write(transaction: Transaction): void;
}

export function budgetSums(statements: Statements): () => BudgetSums {
  const change = statements.insert(
    "@budget_sums",
    { status: "text", currency: "text", budgets: "bigint", total: "numeric" }, // a sum may exceed 64 bits
    `ON CONFLICT (business_id, status, currency)
     DO UPDATE SET budgets = stored.budgets + excluded.budgets, total = stored.total + excluded.total`,
  );

  return () => {
    const changes = new Map<string, { status: string; currency: string; budgets: number; total: bigint }>();

    function note({ status, currency, total }: Summed, sign: 1 | -1): void {
      const key = `${status} ${currency}`;
      const former = changes.get(key) ?? { status, currency, budgets: 0, total: 0n };
      changes.set(key, {
        ...former,
        budgets: former.budgets + sign,
        total: former.total + BigInt(sign) * BigInt(total),
      });
    }

    return {
      add: (budget) => note(budget, 1),
      move: (from, to) => {
        if (from.status === to.status && from.currency === to.currency && from.total === to.total) return;
        note(from, -1);
        note(to, 1);
      },
      write: (transaction) => {
        for (const { status, currency, budgets, total } of changes.values()) {
          if (budgets !== 0 || total !== 0n) change(transaction, status, currency, budgets, String(total));
        }
        changes.clear();
      },
    };
  };
}
