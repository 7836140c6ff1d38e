import type { Budget, BudgetStore } from "@budgetkit/core/store";
import { asDocument, idToFind } from "@budgetkit/store-kit";
import type { Connection } from "../commit/connection.js";
import { textToFind } from "../engine/arguments.js";
import { OVERDUE } from "./budget-filters.js";
import { postgresBudgetList } from "./budget-list.js";
import { postgresNamedBudgets } from "./named-budgets.js";
import { postgresRevisions } from "./revisions.js";

export function postgresBudgets(connection: Connection): BudgetStore {
  const findDocuments = connection.lookUp({
    key: { business: "bigint", id: "bigint" },
    row: "SELECT document FROM @budgets WHERE business_id = key.business AND id = key.id",
  });
  const findByToken = connection.lookUpDigest("link", {
    row: `SELECT document FROM @budgets
      WHERE business_id = key.business AND id = key.id AND public_token_hash = key.digest`,
  });
  const findAllOverdue = connection.values(
    `SELECT document FROM @budgets
     WHERE ${OVERDUE} <= $1 AND business_id <> ALL ($3::bigint[]) ORDER BY valid_until LIMIT $2`,
  );

  return {
    findBudget: async (businessId, id) => {
      const [row] = await findDocuments([[idToFind(businessId), idToFind(id)]]);
      return asBudgetOrNull(row?.[0]);
    },

    findNamedBudget: postgresNamedBudgets(connection),

    ...postgresRevisions(connection),

    listBudgets: postgresBudgetList(connection),

    findBudgetByPublicToken: async (tokenHash) => asBudgetOrNull((await findByToken(textToFind(tokenHash)))?.[0]),

    findAllOverdueBudgets: async (now, limit, without = []) =>
      (await findAllOverdue(now, limit, without.map(idToFind))).map(asBudget),
  };
}

function asBudget(document: unknown): Budget {
  return asDocument<Budget>(document);
}

function asBudgetOrNull(document: unknown): Budget | null {
  return document === undefined ? null : asBudget(document);
}
