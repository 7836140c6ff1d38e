import type { Sold } from "@budgetkit/core/store";
import type { Statements } from "../engine/statements.js";
import type { Transaction } from "../engine/transaction.js";
import { salesSums } from "./sales-sums.js";

/** What a transaction changes in the sums of budgets. */
export interface BudgetSums {
  add(budget: Sold): void;
  move(from: Sold, to: Sold): void;
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

  const salesOf = salesSums(statements);

  return () => {
    const sales = salesOf();
    const changes = new Map<string, { status: string; currency: string; budgets: number; total: bigint }>();

    function note({ status, currency, total }: Sold, sign: 1 | -1): void {
      const key = `${status} ${currency}`;
      const former = changes.get(key) ?? { status, currency, budgets: 0, total: 0n };
      changes.set(key, {
        ...former,
        budgets: former.budgets + sign,
        total: former.total + BigInt(sign) * BigInt(total),
      });
    }

    return {
      add: (budget) => {
        note(budget, 1);
        sales.move(null, budget);
      },
      move: (from, to) => {
        sales.move(from, to);
        if (from.status === to.status && from.currency === to.currency && from.total === to.total) return;
        note(from, -1);
        note(to, 1);
      },
      write: (transaction) => {
        for (const { status, currency, budgets, total } of changes.values()) {
          if (budgets !== 0 || total !== 0n) change(transaction, status, currency, budgets, String(total));
        }
        changes.clear();
        sales.write(transaction);
      },
    };
  };
}
