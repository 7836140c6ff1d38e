import { type NumberDraw, type NumberKept, numberIn } from "@budgetkit/core/store";
import { asInteger, asText } from "@budgetkit/store-kit";
import type { Statements } from "../engine/statements.js";
import type { Transaction } from "../engine/transaction.js";

/** Numbers budgets in a transaction. The lock of the business orders them. */
export interface BudgetNumbers {
  isTaken(number: string): Promise<boolean>;
  /** Keeps a given number, and moves its series behind it. */
  keep(budgetId: number, numbering: NumberKept): Promise<void>;
  /** Draws the next number of a series that no budget has. A rollback returns it, so that the series has no gap. */
  draw(budgetId: number, draw: NumberDraw): Promise<string>;
  /** Writes the series that have moved. */
  write(): void;
}

/** A series as the transaction knows it. */
interface OpenSeries {
  next: number;
  isMoved: boolean;
  knownUntil: number; // below this value, the taken numbers are known
}

/** How many numbers are looked up at once. */
const LOOK_AHEAD = 16;

export function budgetNumbers(statements: Statements): (transaction: Transaction) => BudgetNumbers {
  const findTaken = statements.rows(
    "SELECT number FROM @budget_numbers WHERE business_id = $1 AND number = ANY ($2::text[])",
  );
  const findNext = statements.value("SELECT next FROM @number_series WHERE business_id = $1 AND series = $2");
  const insert = statements.insert("@budget_numbers", { number: "text", budget_id: "bigint" });
  const writeNext = statements.write(
    `INSERT INTO @number_series (business_id, series, next) VALUES ($1, $2, $3)
     ON CONFLICT (business_id, series) DO UPDATE SET next = excluded.next`,
  );

  return (transaction) => {
    const opened = new Map<string, OpenSeries>();
    const taken = new Set<string>();

    async function openSeries(key: string): Promise<OpenSeries> {
      const known = opened.get(key);
      if (known !== undefined) return known;
      const next = asInteger((await findNext(transaction, key)) ?? 1);
      const series = { next, isMoved: false, knownUntil: next };
      opened.set(key, series);
      return series;
    }

    async function noteTaken(numbers: readonly string[]): Promise<void> {
      for (const [number] of await findTaken(transaction, numbers)) taken.add(asText(number));
    }

    function write(number: string, budgetId: number): void {
      taken.add(number);
      insert(transaction, number, budgetId);
    }

    return {
      isTaken: async (number) => {
        await noteTaken([number]);
        return taken.has(number);
      },

      keep: async (budgetId, { number, place }) => {
        write(number, budgetId);
        if (place === null) return;
        const series = await openSeries(place.series.key);
        if (place.value < series.next) return;
        series.next = place.value + 1;
        series.isMoved = true;
      },

      draw: async (budgetId, { series: shape }) => {
        const series = await openSeries(shape.key);
        for (;;) {
          const value = series.next;
          if (value >= series.knownUntil) {
            const ahead = Array.from({ length: LOOK_AHEAD }, (_, index) => numberIn(shape, value + index));
            await noteTaken(ahead);
            series.knownUntil = value + LOOK_AHEAD;
          }
          series.next = value + 1;
          series.isMoved = true;
          const number = numberIn(shape, value);
          if (taken.has(number)) continue;
          write(number, budgetId);
          return number;
        }
      },

      write: () => {
        for (const [key, series] of opened) {
          if (series.isMoved) writeNext(transaction, key, series.next);
          series.isMoved = false;
        }
      },
    };
  };
}
