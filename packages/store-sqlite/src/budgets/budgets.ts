import {
  asDocument,
  asInteger,
  type Budget,
  type BudgetStore,
  type EventToCommit,
  filledCopy,
  fromMinor,
  type IdempotencyRecord,
  idToFind,
  idToWrite,
  memoize,
  type NumberDraw,
  type Numbered,
  type ReplaceOutcome,
  searchTextOf,
} from "@budgetkit/core/store";
import type { Connection, SqlValue } from "../engine/connection.js";
import { type OutboxWrite, outboxWriter } from "../events/events.js";
import { claimCompleter } from "../events/idempotency.js";
import { quotaChecker } from "../limits/storage-use.js";
import { placeholders } from "../webhooks/fair-shares.js";
import { OVERDUE } from "./budget-filters.js";
import { sqliteBudgetList } from "./budget-list.js";
import { asSummed, budgetSums, SUMMED_COLUMNS, type Summed } from "./budget-sums.js";
import type { BudgetsAndNames } from "./cached-budgets.js";
import { type BudgetNumbers, budgetNumbers } from "./numbers.js";
import { revisionKeeper, sqliteRevisions } from "./revisions.js";

/** All columns except the ids, in the order of {@link columnValuesOf}. */
const COLUMNS = [
  "version",
  "status",
  "customer_id",
  "currency",
  "total",
  "created_at",
  "valid_until",
  "public_token_hash",
  "search_text",
  "document",
];

/** What a replacement reads of the stored budget. */
interface Stored extends Summed {
  readonly bytes: number; // of its document
  readonly revision: number;
}

type Replacement = Parameters<BudgetStore["replaceBudget"]>;

/**
 * Replaces the stored budget and writes its events, counters and idempotency record, as part of a transaction. Encoding
 * happens before the transaction.
 */
export function budgetReplacer(
  connection: Connection,
  cached: BudgetsAndNames,
): (...replacement: Replacement) => () => ReplaceOutcome {
  const update = connection.command(
    `UPDATE OR FAIL budgetkit_budgets SET ${COLUMNS.map((column) => `${column} = ?`).join(", ")}
     WHERE business_id = ? AND id = ?`,
  );
  const findState = connection.row(
    `SELECT version, octet_length(document), document ->> 'revision', ${SUMMED_COLUMNS}
     FROM budgetkit_budgets WHERE business_id = ? AND id = ?`,
  );
  const sums = budgetSums(connection);
  const completeClaim = claimCompleter(connection);
  const prepare = contentPreparer(connection);
  const numbers = budgetNumbers(connection);
  const keepRevision = revisionKeeper(connection);
  const exceeds = quotaChecker(connection);

  /** The counted values of the stored budget; null = it is not at `version`. */
  function stateAt(business: number, id: number, version: number): Stored | null {
    const state = findState(business, id);
    if (state === null || asInteger(state[0]) !== version) return null;
    const [, bytes, revision, ...summed] = state;
    return { ...asSummed(summed), bytes: asInteger(bytes), revision: asInteger(revision) };
  }

  return (budget, expectedVersion, events, record, quota, numbering) => {
    const business = idToFind(budget.businessId);
    const id = idToFind(budget.id);
    const prepared = prepare(budget, events);
    const { bytes, appendEvents } = prepared;
    return () => {
      const from = stateAt(business, id, expectedVersion);
      if (from === null) return "stale";
      const freed = budget.revision > from.revision ? 0 : from.bytes;
      const added = { documentBytes: bytes - freed + appendEvents.bytes };
      if (exceeds(business, added, quota)) return "quota-exceeded";
      if (!completeClaim(record)) return "claim-lost";
      keepRevision(business, id, budget.revision);
      const write = (content: Prepared): void => {
        update(...content.values, business, id);
        cached.forget(budget);
        sums.move(business, from, budget);
        content.appendEvents({ business, documentBytes: content.bytes - freed });
      };
      if (numbering === undefined) {
        write(prepared);
        return "written";
      }
      return writeWithNumber(numbers, prepare, { budget, events, record }, numbering, write);
    };
  };
}

/** The encoded content of a commit. */
interface Prepared {
  readonly values: readonly SqlValue[]; // without those of the key
  readonly bytes: number; // of the document of the budget
  readonly appendEvents: OutboxWrite;
}

/** Encodes the content of a commit, before the transaction unless the transaction numbers the budget. */
function contentPreparer(connection: Connection): (budget: Budget, events: readonly EventToCommit[]) => Prepared {
  const prepareEvents = outboxWriter(connection);
  return (budget, events) => {
    const document = JSON.stringify(budget);
    const bytes = Buffer.byteLength(document);
    return { values: columnValuesOf(budget, document), bytes, appendEvents: prepareEvents(events) };
  };
}

interface Content {
  readonly budget: Budget;
  readonly events: readonly EventToCommit[];
  readonly record: IdempotencyRecord | null;
}

/** Draws a number, fills it in into the content, and writes that. */
function writeWithNumber(
  numbers: BudgetNumbers,
  prepare: ReturnType<typeof contentPreparer>,
  content: Content,
  numbering: NumberDraw,
  write: (content: Prepared) => void,
): Numbered {
  const { businessId, id } = content.budget;
  const number = numbers.draw(idToFind(businessId), idToFind(id), numbering);
  const { budget, events, record } = filledCopy(content, numbering.blank, number);
  write(prepare(budget, events));
  numbers.correct(record);
  return { number };
}

export function sqliteBudgets(connection: Connection, cached: BudgetsAndNames): BudgetStore {
  const insert = connection.command(
    `INSERT OR FAIL INTO budgetkit_budgets (${COLUMNS.join(", ")}, business_id, id)
     VALUES (${COLUMNS.map(() => "?").join(", ")}, ?, ?)`,
  );
  const findDocument = connection.value("SELECT document FROM budgetkit_budgets WHERE business_id = ? AND id = ?");
  const findByToken = connection.value("SELECT document FROM budgetkit_budgets WHERE public_token_hash = ?");
  const findAllOverdue = memoize((without) =>
    connection.values(
      `SELECT document FROM budgetkit_budgets
       WHERE ${OVERDUE} AND business_id NOT IN (${without}) ORDER BY valid_until LIMIT ?`,
    ),
  );
  const completeClaim = claimCompleter(connection);
  const prepare = contentPreparer(connection);
  const numbers = budgetNumbers(connection);
  const prepareReplacement = budgetReplacer(connection, cached);
  const exceeds = quotaChecker(connection);
  const sums = budgetSums(connection);

  return {
    insertBudget: async (budget, events, record, quota, numbering) => {
      const business = idToWrite(budget.businessId);
      const id = idToWrite(budget.id);
      const prepared = prepare(budget, events);
      const added = { budgets: 1, documentBytes: prepared.bytes + prepared.appendEvents.bytes };
      const write = ({ values, bytes, appendEvents }: Prepared): void => {
        insert(...values, business, id);
        sums.add(business, budget);
        appendEvents({ business, budgets: 1, documentBytes: bytes });
      };
      return connection.write(() => {
        if (exceeds(business, added, quota)) return "quota-exceeded";
        if (numbers.isTaken(business, numbering)) return "number-taken";
        if (!completeClaim(record)) return "claim-lost";
        if (numbering?.kind === "draw") {
          return writeWithNumber(numbers, prepare, { budget, events, record }, numbering, write);
        }
        write(prepared);
        if (numbering !== undefined) numbers.keep(business, id, numbering);
        return "written";
      });
    },

    findBudget: (businessId, id) =>
      connection.read(() => asBudgetOrNull(findDocument(idToFind(businessId), idToFind(id)))),

    findNamedBudget: (businessId, id) => connection.snapshot(() => cached.find(businessId, id)),

    replaceBudget: async (...replacement) => connection.write(prepareReplacement(...replacement)),

    ...sqliteRevisions(connection),

    listBudgets: sqliteBudgetList(connection),

    findBudgetByPublicToken: (tokenHash) => connection.read(() => asBudgetOrNull(findByToken(tokenHash))),

    findAllOverdueBudgets: (now, limit, without = []) => {
      const find = findAllOverdue(placeholders(without));
      return connection.read(() => find(now, ...without.map(idToFind), limit).map(asBudget));
    },
  };
}

function columnValuesOf(budget: Budget, document: string): SqlValue[] {
  return [
    budget.version,
    budget.status,
    budget.customerId,
    budget.currency,
    fromMinor(budget.total, budget.currency),
    budget.createdAt,
    budget.validUntil,
    budget.publicTokenHash,
    searchTextOf(budget),
    document,
  ];
}

function asBudget(document: unknown): Budget {
  return asDocument<Budget>(document);
}

function asBudgetOrNull(document: unknown): Budget | null {
  return document === undefined ? null : asBudget(document);
}
