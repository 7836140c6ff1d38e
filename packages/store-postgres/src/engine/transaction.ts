import type { Row } from "@budgetkit/store-kit";
import type { GatheredStatements } from "./gathered-statements.js";
import type { PreparedStatement, SqlValue } from "./session.js";

/** A statement that inserts rows. The business comes before its values. */
export interface BoundInsertion {
  readonly statement: PreparedStatement;
  readonly values: readonly SqlValue[];
}

/** Inserts rows. */
export interface RowInserter {
  readonly columns: number;
  /** Makes the statements for these rows, given as an array for each column. */
  bind(columns: readonly (readonly Scalar[])[]): readonly BoundInsertion[];
}

/**
 * A transaction that holds the lock of a business. The first value of each statement is the business. Reads are sent with
 * those of the same turn. Writes wait until they are settled: first the changes of stored rows in their order, then the new
 * rows, those of one table in one statement.
 */
export class Transaction {
  readonly business: number;
  readonly #statements: GatheredStatements;
  #changes: { readonly statement: PreparedStatement; readonly values: readonly SqlValue[] }[] = [];
  #insertions = new Map<RowInserter, Scalar[][]>();

  constructor(business: number, statements: GatheredStatements) {
    this.business = business;
    this.#statements = statements;
  }

  read(statement: PreparedStatement, values: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.#statements.run(statement, [this.business, ...values]);
  }

  write(statement: PreparedStatement, values: readonly SqlValue[]): void {
    this.#changes.push({ statement, values });
  }

  insert(into: RowInserter, row: readonly SqlValue[]): void {
    if (this.business === NO_BUSINESS) throw new RangeError("the id of the business is not one");
    let columns = this.#insertions.get(into);
    if (columns === undefined) {
      columns = Array.from({ length: into.columns }, () => []);
      this.#insertions.set(into, columns);
    }
    for (let index = 0; index < columns.length; index += 1) columns[index]?.push(scalarOf(row[index] ?? null));
  }

  /** Sends the writes that wait. When one of them fails, the statements behind them fail too. */
  settle(): void {
    for (const { statement, values } of this.#changes) void this.read(statement, values);
    for (const [into, columns] of this.#insertions) {
      for (const { statement, values } of into.bind(columns)) void this.read(statement, values);
    }
    this.#changes = [];
    this.#insertions = new Map();
  }
}

/** As which an odd id is looked for: nothing has it. */
const NO_BUSINESS = 0;

export type Scalar = string | number | boolean | null;

function scalarOf(value: SqlValue): Scalar {
  if (value === null || typeof value !== "object") return value;
  throw new TypeError("a column of new rows cannot hold arrays");
}
