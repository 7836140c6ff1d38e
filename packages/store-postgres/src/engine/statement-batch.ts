import type { Row } from "@budgetkit/store-kit";
import type { Connection, Submittable } from "pg";
import { COLUMN_TYPES } from "./column-types.js";
import { codeOf } from "./failures.js";
import type { SqlValue } from "./session.js";
import { textArray } from "./text-array.js";

/** A prepared statement with its encoded values. */
export interface BoundStatement {
  readonly text: string;
  readonly name: string;
  readonly values: (string | null | Buffer)[];
}

type ReadColumn = (text: string) => unknown;

/**
 * SQLSTATEs for statements that somebody has deallocated, or whose results have other columns since a migration: the next
 * batch prepares them again.
 */
const UNPREPARED = /^(?:26000|0A000)$/;

/** How the rows of each statement are read that was prepared on a connection. */
const preparedOn = new WeakMap<Connection, Map<string, readonly ReadColumn[]>>();

/**
 * Statements that are sent together, with one Sync for all: the driver by itself sends one for each statement, and waits.
 * Each is prepared at its first use on a connection. When one fails, PostgreSQL skips those behind it, so that a batch belongs
 * into a transaction.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export class StatementBatch implements Submittable {
  /** Called once, at the end. The driver wraps it for its timeout. */
  callback: (error: Error | null) => void;
  readonly #statements: readonly BoundStatement[];
  readonly #rows: Row[][];
  #current = 0;
  #readers: readonly ReadColumn[] | null = null; // null = the statement was not described
  #prepared = new Map<string, readonly ReadColumn[]>();
  #connection: Connection | null = null;

  constructor(statements: readonly BoundStatement[], end: (error: Error | null, rows: readonly Row[][]) => void) {
    this.#statements = statements;
    this.#rows = statements.map(() => []);
    this.callback = (error) => end(error, this.#rows);
  }

  submit = (connection: Connection): void => {
    this.#connection = connection;
    this.#prepared = preparedOn.get(connection) ?? new Map<string, readonly ReadColumn[]>();
    preparedOn.set(connection, this.#prepared);
    const sent = new Set<string>();
    connection.stream.cork();
    try {
      for (const { text, name, values } of this.#statements) {
        const isNew = !this.#prepared.has(name);
        if (isNew && !sent.has(name)) {
          sent.add(name);
          connection.close({ type: "S", name }, true); // of a batch that failed behind it
          connection.parse({ name, text, types: [] }, true);
        }
        connection.bind({ statement: name, values }, true);
        if (isNew) connection.describe({ type: "P", name: "" }, true);
        connection.execute(null, true);
      }
    } finally {
      connection.sync();
      connection.stream.uncork();
    }
  };

  handleRowDescription({ fields }: { readonly fields: readonly { readonly dataTypeID: number }[] }): void {
    this.#readers = fields.map(({ dataTypeID }) => COLUMN_TYPES.getTypeParser(dataTypeID, "text"));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.#readers ??= this.#prepared.get(this.#name) ?? [];
    const readers = this.#readers;
    this.#rows[this.#current]?.push(fields.map((field, column) => (field === null ? null : readers[column]?.(field))));
  }

  handleCommandComplete(): void {
    if (!this.#prepared.has(this.#name)) this.#prepared.set(this.#name, this.#readers ?? []);
    this.#readers = null;
    this.#current += 1;
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  handleError(error: Error): void {
    if (this.#connection !== null && UNPREPARED.test(codeOf(error))) preparedOn.delete(this.#connection);
    this.callback(error);
  }

  handlePortalSuspended(): void {}

  handleEmptyQuery(): void {}

  get #name(): string {
    return this.#statements[this.#current]?.name ?? "";
  }
}

/** A value as it is sent. Texts of an array travel in the binary format, in which nothing is escaped. */
export function encodedValue(value: SqlValue): string | null | Buffer {
  if (value === null || value === undefined) return null; // undefined: of a caller without types
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (!Array.isArray(value)) throw new TypeError(`not a value of a statement: ${typeof value}`);
  return value.some(isText) ? textArray(value) : arrayLiteral(value);
}

type Element = string | number | boolean | null;

function isText(value: Element): boolean {
  return typeof value === "string";
}

/** Of an array without texts. */
function arrayLiteral(values: readonly Element[]): string {
  return `{${values.map((value) => value ?? "NULL").join(",")}}`;
}
