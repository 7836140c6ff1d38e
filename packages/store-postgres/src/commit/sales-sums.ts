import { type SalesChange, type Sold, salesChangesOf } from "@budgetkit/core/store";
import type { Statements } from "../engine/statements.js";
import type { Transaction } from "../engine/transaction.js";

/** What a transaction changes in the sums of sales. */
export interface SalesSums {
  /** `from`: null = the budget is new. */
  move(from: Sold | null, to: Sold): void;
  /** Writes the changes. */
  write(transaction: Transaction): void;
}

export function salesSums(statements: Statements): () => SalesSums {
  const change = statements.insert(
    "@sales_sums",
    { slot: "bigint", kind: "text", currency: "text", budgets: "bigint", total: "numeric" }, // a sum may exceed 64 bits
    `ON CONFLICT (business_id, slot, kind, currency)
     DO UPDATE SET budgets = stored.budgets + excluded.budgets, total = stored.total + excluded.total`,
  );

  return () => {
    const changes = new Map<string, Omit<SalesChange, "amount"> & { readonly total: bigint }>();

    function note({ share, budgets, amount }: SalesChange): void {
      const key = `${share.slot} ${share.kind} ${share.currency}`;
      const former = changes.get(key) ?? { share, budgets: 0, total: 0n };
      changes.set(key, { share, budgets: former.budgets + budgets, total: former.total + BigInt(amount) });
    }

    return {
      move: (from, to) => salesChangesOf(from, to).forEach(note),
      write: (transaction) => {
        for (const { share, budgets, total } of changes.values()) {
          if (budgets === 0 && total === 0n) continue;
          change(transaction, share.slot, share.kind, share.currency, budgets, String(total));
        }
        changes.clear();
      },
    };
  };
}
