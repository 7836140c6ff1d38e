import {
  type Budget,
  type BudgetStatus,
  type BudgetStore,
  fromMinor,
  type ReplaceOutcome,
  searchTextOf,
} from "@budgetkit/core/store";
import { sqliteBudgetList } from "./budget-list.js";
import { asSummed, budgetSums, SUMMED_COLUMNS, type Summed } from "./budget-sums.js";
import type { Connection, SqlValue } from "./connection.js";
import { outboxWriter } from "./events.js";
import { claimCompleter } from "./idempotency.js";
import { idToFind, idToWrite } from "./ids.js";
import { revisionKeeper, sqliteRevisions } from "./revisions.js";
import { asDocument, asInteger } from "./rows.js";

/** Everything but the id, in the order in which {@link columnValuesOf} gives the values. */
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

const OVERDUE = "status = 'PENDING' AND valid_until <= ? ORDER BY valid_until LIMIT ?";

const ADJUST_COUNT = `INSERT INTO budgetkit_budget_counts (business_id, status, n) VALUES (?, ?, ?)
  ON CONFLICT (business_id, status) DO UPDATE SET n = n + excluded.n`;

type Replacement = Parameters<BudgetStore["replaceBudget"]>;

/**
 * Puts a budget in the place of the stored one with its events, counters and receipt, as a part of a transaction. What
 * can be encoded is encoded before, outside of it.
 */
export function budgetReplacer(connection: Connection): (...replacement: Replacement) => () => ReplaceOutcome {
  const update = connection.command(
    `UPDATE budgetkit_budgets SET ${COLUMNS.map((column) => `${column} = ?`).join(", ")}
     WHERE business_id = ? AND id = ?`,
  );
  const findState = connection.row(
    `SELECT version, ${SUMMED_COLUMNS} FROM budgetkit_budgets WHERE business_id = ? AND id = ?`,
  );
  const adjustCount = connection.command(ADJUST_COUNT);
  const sums = budgetSums(connection);
  const completeClaim = claimCompleter(connection);
  const prepareEvents = outboxWriter(connection);
  const keepRevision = revisionKeeper(connection);

  /** What the counters know of the stored budget if it is at `version`, else null. */
  function stateAt(business: number, id: number, version: number): Summed | null {
    const state = findState(business, id);
    return state !== null && asInteger(state[0]) === version ? asSummed(state.slice(1)) : null;
  }

  function moveCount(business: number, from: BudgetStatus, to: BudgetStatus): void {
    if (from === to) return;
    adjustCount(business, from, -1);
    adjustCount(business, to, 1);
  }

  return (budget, expectedVersion, events, receipt) => {
    const business = idToFind(budget.businessId);
    const id = idToFind(budget.id);
    const values = [...columnValuesOf(budget), business, id];
    const appendEvents = prepareEvents(events);
    return () => {
      const from = stateAt(business, id, expectedVersion);
      if (from === null) return "stale";
      if (!completeClaim(receipt)) return "receipt-lost";
      keepRevision(business, id, budget.revision);
      update(...values);
      moveCount(business, from.status, budget.status);
      sums.move(business, from, budget);
      appendEvents();
      return "written";
    };
  };
}

export function sqliteBudgets(connection: Connection): BudgetStore {
  const insert = connection.command(
    `INSERT INTO budgetkit_budgets (${COLUMNS.join(", ")}, business_id, id)
     VALUES (${COLUMNS.map(() => "?").join(", ")}, ?, ?)`,
  );
  const findDocument = connection.value("SELECT document FROM budgetkit_budgets WHERE business_id = ? AND id = ?");
  const findByToken = connection.value("SELECT document FROM budgetkit_budgets WHERE public_token_hash = ?");
  const findOverdue = connection.values(`SELECT document FROM budgetkit_budgets WHERE business_id = ? AND ${OVERDUE}`);
  const findAllOverdue = connection.values(`SELECT document FROM budgetkit_budgets WHERE ${OVERDUE}`);
  const adjustCount = connection.command(ADJUST_COUNT);
  const completeClaim = claimCompleter(connection);
  const prepareEvents = outboxWriter(connection);
  const prepareReplacement = budgetReplacer(connection);
  const sums = budgetSums(connection);

  return {
    insertBudget: async (budget, events, receipt) => {
      const business = idToWrite(budget.businessId);
      const values = [...columnValuesOf(budget), business, idToWrite(budget.id)];
      const appendEvents = prepareEvents(events);
      return connection.write(() => {
        if (!completeClaim(receipt)) return "receipt-lost";
        insert(...values);
        adjustCount(business, budget.status, 1);
        sums.add(business, budget);
        appendEvents();
        return "written";
      });
    },

    findBudget: (businessId, id) =>
      connection.read(() => asBudgetOrNull(findDocument(idToFind(businessId), idToFind(id)))),

    replaceBudget: async (budget, expectedVersion, events, receipt) =>
      connection.write(prepareReplacement(budget, expectedVersion, events, receipt)),

    ...sqliteRevisions(connection),

    listBudgets: sqliteBudgetList(connection),

    findBudgetByPublicToken: (tokenHash) => connection.read(() => asBudgetOrNull(findByToken(tokenHash))),

    findOverdueBudgets: (businessId, now, limit) =>
      connection.read(() => findOverdue(idToFind(businessId), now, limit).map(asBudget)),

    findAllOverdueBudgets: (now, limit) => connection.read(() => findAllOverdue(now, limit).map(asBudget)),
  };
}

function columnValuesOf(budget: Budget): SqlValue[] {
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
    JSON.stringify(budget),
  ];
}

function asBudget(document: unknown): Budget {
  return asDocument<Budget>(document);
}

function asBudgetOrNull(document: unknown): Budget | null {
  return document === undefined ? null : asBudget(document);
}
