import { type Sold, salesChangesOf } from "@budgetkit/core/store";
import type { Connection } from "../engine/connection.js";
import { partsOf } from "./sum-parts.js";

/** Updates the sums of sales in the transaction of each change of a budget; `from`: null = it is new. */
export type SalesSums = (business: number, from: Sold | null, to: Sold) => void;

export function salesSums(connection: Connection): SalesSums {
  const adjust = connection.command(
    `INSERT INTO budgetkit_sales_sums (business_id, slot, kind, currency, budgets, total_high, total_low)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (business_id, slot, kind, currency) DO UPDATE SET
       budgets = budgets + excluded.budgets,
       total_high = total_high + excluded.total_high,
       total_low = total_low + excluded.total_low`,
  );
  return (business, from, to) => {
    for (const { share, budgets, amount } of salesChangesOf(from, to)) {
      adjust(business, share.slot, share.kind, share.currency, budgets, ...partsOf(amount));
    }
  };
}
