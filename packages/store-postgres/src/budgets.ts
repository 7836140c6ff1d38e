import { type Budget, type BudgetStore, fromMinor, searchTextOf } from "@budgetkit/core/store";
import { postgresBudgetList } from "./budget-list.js";
import type { Connection } from "./connection.js";
import { eventArgument } from "./events.js";
import { receiptArgument } from "./idempotency.js";
import { idToFind, idToWrite } from "./ids.js";
import { OVERDUE, postgresOverdueBudgets } from "./overdue-budgets.js";
import { postgresRevisions } from "./revisions.js";
import { asDocument, asOneOf } from "./rows.js";

type Replacement = Parameters<BudgetStore["replaceBudget"]>;

/** What `replace_budget` takes, and what builds on it. */
export function replacementArgument(...[budget, expectedVersion, events, receipt]: Replacement) {
  return {
    budget: budgetRow(budget),
    expectedVersion,
    events: events.map(eventArgument),
    receipt: receiptArgument(receipt),
  };
}

export function postgresBudgets(connection: Connection): BudgetStore {
  const findDocuments = connection.lookUp({
    key: { business: "bigint", id: "bigint" },
    row: "SELECT document FROM @budgets WHERE business_id = key.business AND id = key.id",
  });
  const findByToken = connection.value("SELECT document FROM @budgets WHERE public_token_hash = $1");
  const findAllOverdue = connection.values(
    `SELECT document FROM @budgets WHERE ${OVERDUE} $1 ORDER BY valid_until LIMIT $2`,
  );

  return {
    insertBudget: async (budget, events, receipt) => {
      const row = { ...budgetRow(budget), business_id: idToWrite(budget.businessId), id: idToWrite(budget.id) };
      const answer = await connection.commit("insert_budgets", row.business_id, {
        budget: row,
        events: events.map(eventArgument),
        receipt: receiptArgument(receipt),
      });
      return asOneOf(["written", "receipt-lost"], answer);
    },

    findBudget: async (businessId, id) => {
      const [row] = await findDocuments([[idToFind(businessId), idToFind(id)]]);
      return asBudgetOrNull(row?.[0]);
    },

    replaceBudget: async (budget, expectedVersion, events, receipt) => {
      const argument = replacementArgument(budget, expectedVersion, events, receipt);
      const answer = await connection.commit("replace_budget", idToFind(budget.businessId), argument);
      return asOneOf(["written", "stale", "receipt-lost"], answer);
    },

    ...postgresRevisions(connection),

    listBudgets: postgresBudgetList(connection),

    findBudgetByPublicToken: async (tokenHash) => asBudgetOrNull(await findByToken(tokenHash)),

    findOverdueBudgets: postgresOverdueBudgets(connection),

    findAllOverdueBudgets: async (now, limit) => (await findAllOverdue(now, limit)).map(asBudget),
  };
}

function budgetRow(budget: Budget) {
  return {
    business_id: idToFind(budget.businessId),
    id: idToFind(budget.id),
    version: budget.version,
    revision: budget.revision,
    status: budget.status,
    customer_id: budget.customerId,
    currency: budget.currency,
    total: fromMinor(budget.total, budget.currency),
    total_minor: budget.total,
    created_at: budget.createdAt,
    valid_until: budget.validUntil,
    public_token_hash: budget.publicTokenHash,
    search_text: searchTextOf(budget),
    document: JSON.stringify(budget),
  };
}

function asBudget(document: unknown): Budget {
  return asDocument<Budget>(document);
}

function asBudgetOrNull(document: unknown): Budget | null {
  return document === undefined ? null : asBudget(document);
}
