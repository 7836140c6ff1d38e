import { describe, expect, it } from "vitest";
import { postgresMails } from "../budgets/mails.js";
import type { Connection } from "../commit/connection.js";
import { businessOpener } from "../commit/open-business.js";
import { statementsIn } from "../engine/statements.js";
import { postgresIdempotency } from "../events/idempotency.js";
import { postgresLedger } from "../events/ledger.js";
import { postgresUsage } from "../usage/usage.js";
import { postgresReplays } from "../webhooks/replays.js";
import { postgresDeliveries } from "../webhooks/webhook-deliveries.js";
import { commitParts } from "./commit-handlers.js";

/** All statements of transactions, as they are made for the parts of commits and the other changes of a business. */
function statementsOfTransactions(): readonly string[] {
  const made: string[] = [];
  const statements = statementsIn((sql) => {
    made.push(sql.replace(/\s+/g, " "));
    return sql;
  });
  const reads = () => async () => {
    throw new Error("nothing is read");
  };
  const unused = () => Promise.reject(new Error("nothing is run"));
  const connection: Connection = {
    clock: "caller",
    rows: reads,
    row: reads,
    value: reads,
    values: reads,
    lookUp: reads,
    lookUpDigest: reads,
    planned: unused,
    changes: reads,
    statements,
    runPiece: unused,
    write: unused,
    inTransaction: unused,
    noteWork: () => {},
    arrays: reads,
    call: unused,
    callRows: unused,
  };
  commitParts(statements, "database");
  businessOpener(statements);
  postgresMails(connection);
  postgresIdempotency(connection);
  postgresLedger(connection);
  postgresUsage(connection);
  postgresReplays(connection, "database");
  postgresDeliveries(connection, "database");
  return made;
}

/** What reaches rows of one business: its own rows, a new row of it, or a function that takes it first. */
const OF_ONE_BUSINESS = [
  /\bbusiness_id = \$1/,
  /INSERT INTO @\w+ (?:AS stored )?\(business_id\b.*(?:VALUES \(\$1|SELECT \$1)/,
  /(?:FROM|UPDATE) @businesses\b.* id = \$1|INSERT INTO @businesses \(id\b.*VALUES \(\$1/,
  /^SELECT @\w+\(\$1/,
];

/** Statements that leave the business, each with its reason. */
const OTHERS: Readonly<Record<string, string>> = {
  "SELECT @database_now() WHERE $1::bigint IS NOT NULL": "it reads no table",
  "SELECT FROM @directory WHERE kind = 'email' AND digest = $2 AND (business_id, id) <> ($1, $3)":
    "an address has one account of all businesses",
};

describe("the statements of transactions", () => {
  const all = statementsOfTransactions();

  it("there are statements of every domain", () => {
    for (const table of [
      "budgets",
      "customers",
      "users",
      "keys",
      "events",
      "endpoints",
      "usage",
      "replays",
      "claims",
    ]) {
      expect(all.filter((sql) => sql.includes(`@${table}`))).not.toEqual([]);
    }
  });

  it.each(all)("a statement of a transaction reaches the rows of one business, its first value: %s", (sql) => {
    if (sql in OTHERS) return;
    expect(OF_ONE_BUSINESS.some((form) => form.test(sql))).toBe(true);
  });

  it("no statement of a transaction names a row by its place in the table", () => {
    expect(all.filter((sql) => /\bctid\b/.test(sql))).toEqual([]);
  });
});
