import { type Budget, type NumberDraw, type NumberKept, numberIn } from "@budgetkit/core/store";
import { asInteger, idToFind } from "@budgetkit/store-kit";
import type { Connection } from "../engine/connection.js";

/** Numbers budgets, as part of a transaction. */
export interface BudgetNumbers {
  isTaken(businessId: string, number: string): boolean;
  /** Keeps a given number, and moves its series behind it. */
  keep(budget: Budget, numbering: NumberKept): void;
  /** Draws the next number of a series that no budget has. */
  draw(budget: Budget, draw: NumberDraw): string;
}

export function budgetNumbers(connection: Connection): BudgetNumbers {
  const insert = connection.command(
    `INSERT INTO budgetkit_budget_numbers (business_id, number, budget_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const isTaken = connection.exists("SELECT 1 FROM budgetkit_budget_numbers WHERE business_id = ? AND number = ?");
  const drawValue = connection.value(
    `INSERT INTO budgetkit_number_series (business_id, series, next) VALUES (?, ?, 2)
     ON CONFLICT (business_id, series) DO UPDATE SET next = next + 1 RETURNING next - 1`,
  );
  const moveBehind = connection.command(
    `INSERT INTO budgetkit_number_series (business_id, series, next) VALUES (?, ?, ?)
     ON CONFLICT (business_id, series) DO UPDATE SET next = max(next, excluded.next)`,
  );

  return {
    isTaken: (businessId, number) => isTaken(idToFind(businessId), number),

    keep: ({ businessId, id }, { number, place }) => {
      const business = idToFind(businessId);
      insert(business, number, idToFind(id));
      if (place !== null) moveBehind(business, place.series.key, place.value + 1);
    },

    draw: ({ businessId, id }, { series }) => {
      const business = idToFind(businessId);
      for (;;) {
        const number = numberIn(series, asInteger(drawValue(business, series.key)));
        if (insert(business, number, idToFind(id)) === 1) return number;
      }
    },
  };
}
