import { type NumberDraw, type NumberKept, numberIn } from "@budgetkit/core/store";
import { asInteger, asText, type Row } from "@budgetkit/store-kit";
import type { Statements } from "../engine/statements.js";
import type { Transaction } from "../engine/transaction.js";

/** Numbers budgets in a transaction. The lock of the business orders them. */
export interface BudgetNumbers {
  isTaken(number: string): Promise<boolean>;
  /** Whether the transaction itself has used it. */
  isUsed(number: string): boolean;
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
  lookAhead: number;
}

/** How many numbers are looked up at once: each time twice as many, since whole runs may be taken. */
const LOOK_AHEAD = { first: 16, most: 4_096 };

export function budgetNumbers(statements: Statements): (transaction: Transaction) => BudgetNumbers {
  const parts = {
    findTaken: statements.rows(
      `SELECT number FROM unnest($2::text[]) AS given (number) CROSS JOIN LATERAL (
         SELECT FROM @budget_numbers WHERE business_id = $1 AND number = given.number LIMIT 1
       ) AS stored`, // one by one: else a plan from before there were any reads all of the business
    ),
    findNext: statements.value("SELECT next FROM @number_series WHERE business_id = $1 AND series = $2"),
    insert: statements.insert("@budget_numbers", { number: "text", budget_id: "bigint" }),
    writeNext: statements.write(
      `INSERT INTO @number_series (business_id, series, next) VALUES ($1, $2, $3)
       ON CONFLICT (business_id, series) DO UPDATE SET next = excluded.next`,
    ),
  };
  return (transaction) => new OpenNumbers(transaction, parts);
}

interface NumberStatements {
  findTaken(transaction: Transaction, numbers: readonly string[]): Promise<readonly Row[]>;
  findNext(transaction: Transaction, series: string): Promise<unknown>;
  insert(transaction: Transaction, number: string, budgetId: number): void;
  writeNext(transaction: Transaction, series: string, next: number): void;
}

class OpenNumbers implements BudgetNumbers {
  readonly #transaction: Transaction;
  readonly #statements: NumberStatements;
  readonly #opened = new Map<string, OpenSeries>();
  readonly #taken = new Set<string>();

  constructor(transaction: Transaction, statements: NumberStatements) {
    this.#transaction = transaction;
    this.#statements = statements;
  }

  async isTaken(number: string): Promise<boolean> {
    await this.#noteTaken([number]);
    return this.#taken.has(number);
  }

  isUsed(number: string): boolean {
    return this.#taken.has(number);
  }

  async keep(budgetId: number, { number, place }: NumberKept): Promise<void> {
    this.#insert(number, budgetId);
    if (place === null) return;
    const series = await this.#open(place.series.key);
    if (place.value < series.next) return;
    series.next = place.value + 1;
    series.isMoved = true;
  }

  async draw(budgetId: number, { series: shape }: NumberDraw): Promise<string> {
    const series = await this.#open(shape.key);
    for (;;) {
      const value = series.next;
      if (value >= series.knownUntil) {
        await this.#noteTaken(Array.from({ length: series.lookAhead }, (_, index) => numberIn(shape, value + index)));
        series.knownUntil = value + series.lookAhead;
        series.lookAhead = Math.min(LOOK_AHEAD.most, 2 * series.lookAhead);
      }
      series.next = value + 1;
      series.isMoved = true;
      const number = numberIn(shape, value);
      if (this.#taken.has(number)) continue;
      this.#insert(number, budgetId);
      return number;
    }
  }

  write(): void {
    for (const [key, series] of this.#opened) {
      if (series.isMoved) this.#statements.writeNext(this.#transaction, key, series.next);
      series.isMoved = false;
    }
  }

  async #open(key: string): Promise<OpenSeries> {
    const known = this.#opened.get(key);
    if (known !== undefined) return known;
    const next = asInteger((await this.#statements.findNext(this.#transaction, key)) ?? 1);
    const series = { next, isMoved: false, knownUntil: next, lookAhead: LOOK_AHEAD.first };
    this.#opened.set(key, series);
    return series;
  }

  async #noteTaken(numbers: readonly string[]): Promise<void> {
    const rows = await this.#statements.findTaken(this.#transaction, numbers);
    for (const [number] of rows) this.#taken.add(asText(number));
  }

  #insert(number: string, budgetId: number): void {
    this.#taken.add(number);
    this.#statements.insert(this.#transaction, number, budgetId);
  }
}
