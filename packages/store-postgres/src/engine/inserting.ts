import { type PreparedStatement, prepared, type SqlValue } from "./session.js";
import type { BoundInsertion, RowInserter, Scalar } from "./transaction.js";

/** The names and types of columns. */
export type ColumnTypes = Readonly<Record<string, string>>;

/** A table, and the columns of new rows beside `business_id`. */
interface InsertedInto {
  readonly table: string;
  readonly columns: ColumnTypes;
  readonly onConflict: string;
}

/** Makes what inserts the rows of a transaction. */
export type Inserting = (into: InsertedInto, named: (sql: string) => string) => RowInserter;

/** All rows in one statement, whose text does not depend on their number. Numerics travel as texts: see `textArray`. */
export const insertingArrays: Inserting = ({ table, columns, onConflict }, named) => {
  const names = Object.keys(columns).join(", ");
  const given = Object.entries(columns).map(([name, type]) => (type === "numeric" ? `${name}::numeric` : name));
  const sql = `INSERT INTO ${table} AS stored (business_id, ${names}) SELECT $1, ${given.join(", ")} FROM @given ${onConflict}`;
  return insertingBy(sql, columns, named);
};

/** The same by other SQL, in which `@given` stands for the new rows. */
export function insertingBy(sql: string, columns: ColumnTypes, named: (sql: string) => string): RowInserter {
  const arrays = Object.values(columns).map((type, index) => `$${index + 2}::${type === "numeric" ? "text" : type}[]`);
  const given = `unnest(${arrays.join(", ")}) AS given (${Object.keys(columns).join(", ")})`;
  const statement = prepared(named(sql.replace("@given", given)));
  return { columns: arrays.length, bind: (values) => [{ statement, values }] };
}

/** Rows in a statement. Few sizes, since each is a statement of its own to prepare. */
const SIZES = [64, 8, 1] as const;

/** Rows as VALUES, which Citus sends to the node of the business. */
export const insertingValues: Inserting = ({ table, columns, onConflict }, named) => {
  const names = Object.keys(columns);
  const types = Object.values(columns);
  const statements = new Map<number, PreparedStatement>();

  function statementOf(rows: number): PreparedStatement {
    const known = statements.get(rows);
    if (known !== undefined) return known;
    const tuples = Array.from({ length: rows }, (_, row) => {
      const places = types.map((type, column) => `$${2 + row * types.length + column}::${type}`);
      return `($1::bigint, ${places.join(", ")})`;
    });
    const into = `INSERT INTO ${table} AS stored (business_id, ${names.join(", ")})`;
    const made = prepared(named(`${into} VALUES ${tuples.join(", ")} ${onConflict}`));
    statements.set(rows, made);
    return made;
  }

  return {
    columns: names.length,
    bind: (values) => {
      const bound: BoundInsertion[] = [];
      const count = values[0]?.length ?? 0;
      for (let from = 0; from < count; ) {
        const size = SIZES.find((each) => each <= count - from) ?? 1;
        bound.push({ statement: statementOf(size), values: rowsOf(values, from, size) });
        from += size;
      }
      return bound;
    },
  };
};

/** The values of `size` rows, row by row. */
function rowsOf(columns: readonly (readonly Scalar[])[], from: number, size: number): SqlValue[] {
  const values: SqlValue[] = [];
  for (let row = from; row < from + size; row += 1) {
    for (const column of columns) values.push(column[row] ?? null);
  }
  return values;
}
