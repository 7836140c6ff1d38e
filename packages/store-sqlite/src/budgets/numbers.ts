import {
  asInteger,
  type IdempotencyRecord,
  idToFind,
  type NumberDraw,
  type Numbering,
  numberIn,
} from "@budgetkit/core/store";
import type { Connection } from "../engine/connection.js";

/** Numbers budgets, as part of a transaction. */
export interface BudgetNumbers {
  /** Whether a budget has the number that is to be kept. */
  isTaken(business: number, numbering: Numbering | undefined): boolean;
  /** Keeps a given number, and moves its series behind it. */
  keep(business: number, budget: number, numbering: Extract<Numbering, { kind: "keep" }>): void;
  /** Draws the next number of a series that no budget has. */
  draw(business: number, budget: number, draw: NumberDraw): string;
  /** Replaces the response of a claim that the transaction has completed. */
  correct(record: IdempotencyRecord | null): void;
}

export function budgetNumbers(connection: Connection): BudgetNumbers {
  const insert = connection.command(
    `INSERT INTO budgetkit_budget_numbers (business_id, number, budget_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const find = connection.value("SELECT 1 FROM budgetkit_budget_numbers WHERE business_id = ? AND number = ?");
  const drawValue = connection.value(
    `INSERT INTO budgetkit_number_series (business_id, series, next) VALUES (?, ?, 2)
     ON CONFLICT (business_id, series) DO UPDATE SET next = next + 1 RETURNING next - 1`,
  );
  const moveBehind = connection.command(
    `INSERT INTO budgetkit_number_series (business_id, series, next) VALUES (?, ?, ?)
     ON CONFLICT (business_id, series) DO UPDATE SET next = max(next, excluded.next)`,
  );
  const setResponse = connection.command(
    "UPDATE budgetkit_claims SET response = ? WHERE business_id = ? AND key = ? AND claim_id = ?",
  );

  return {
    isTaken: (business, numbering) => numbering?.kind === "keep" && find(business, numbering.number) !== undefined,

    keep: (business, budget, { number, place }) => {
      insert(business, number, budget);
      if (place !== null) moveBehind(business, place.series.key, place.value + 1);
    },

    draw: (business, budget, { series }) => {
      for (;;) {
        const number = numberIn(series, asInteger(drawValue(business, series.key)));
        if (insert(business, number, budget) === 1) return number;
      }
    },

    correct: (record) => {
      if (record === null) return;
      setResponse(record.response, idToFind(record.businessId), record.key, record.claimId);
    },
  };
}
