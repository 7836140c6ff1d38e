import { type Budget, type BudgetStore, memoize, productNamesOf } from "@budgetkit/core/store";
import { asDocument, idToFind } from "@budgetkit/store-kit";
import { customerSummaryFinder, productSummaryFinder } from "../catalog/summaries.js";
import type { Connection } from "../engine/connection.js";
import { placeholders } from "../engine/statements.js";
import { OVERDUE } from "./budget-filters.js";
import { sqliteBudgetList } from "./budget-list.js";
import { sqliteRevisions } from "./revisions.js";

export function sqliteBudgets(connection: Connection): BudgetStore {
  const findDocument = connection.value("SELECT document FROM budgetkit_budgets WHERE business_id = ? AND id = ?");
  const findByToken = connection.value("SELECT document FROM budgetkit_budgets WHERE public_token_hash = ?");
  const findAllOverdue = memoize((without) =>
    connection.values(
      `SELECT document FROM budgetkit_budgets
       WHERE ${OVERDUE} AND business_id NOT IN (${without}) ORDER BY valid_until LIMIT ?`,
    ),
  );
  const findCustomer = customerSummaryFinder(connection);
  const findProduct = productSummaryFinder(connection);
  const find = (businessId: string, id: string) => asBudgetOrNull(findDocument(idToFind(businessId), idToFind(id)));

  return {
    findBudget: (businessId, id) => connection.read(() => find(businessId, id)),

    findNamedBudget: (businessId, id) =>
      connection.snapshot(() => {
        const budget = find(businessId, id);
        if (budget === null) return null;
        const customer = findCustomer(businessId, budget.customerId);
        const products = productNamesOf(budget.items).flatMap((name) => findProduct(businessId, name) ?? []);
        return { budget, customer, products };
      }),

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
