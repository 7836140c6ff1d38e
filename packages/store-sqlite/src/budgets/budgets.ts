import { type Budget, type BudgetStore, memoize } from "@budgetkit/core/store";
import { asDocument, idToFind } from "@budgetkit/store-kit";
import type { Connection } from "../engine/connection.js";
import { placeholders } from "../engine/statements.js";
import { OVERDUE } from "./budget-filters.js";
import { sqliteBudgetList } from "./budget-list.js";
import { sqliteRevisions } from "./revisions.js";

export function sqliteBudgets(connection: Connection): Omit<BudgetStore, "findNamedBudget"> {
  const findDocument = connection.value("SELECT document FROM budgetkit_budgets WHERE business_id = ? AND id = ?");
  const findByToken = connection.value("SELECT document FROM budgetkit_budgets WHERE public_token_hash = ?");
  const findAllOverdue = memoize((without) =>
    connection.values(
      `SELECT document FROM budgetkit_budgets
       WHERE ${OVERDUE} AND business_id NOT IN (${without}) ORDER BY valid_until LIMIT ?`,
    ),
  );

  return {
    findBudget: (businessId, id) =>
      connection.read(() => asBudgetOrNull(findDocument(idToFind(businessId), idToFind(id)))),

    ...sqliteRevisions(connection),

    listBudgets: sqliteBudgetList(connection),

    findBudgetByPublicToken: (tokenHash) => connection.read(() => asBudgetOrNull(findByToken(tokenHash))),

    findAllOverdueBudgets: (now, limit, without = []) => {
      const find = findAllOverdue(placeholders(without));
      return connection.read(() => find(now, ...without.map(idToFind), limit).map(asDocument<Budget>));
    },
  };
}

function asBudgetOrNull(document: unknown): Budget | null {
  return document === undefined ? null : asDocument<Budget>(document);
}
