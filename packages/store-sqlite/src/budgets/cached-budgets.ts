import {
  asDocument,
  type Budget,
  BudgetCache,
  idToFind,
  type NamedBudget,
  productNamesOf,
} from "@budgetkit/core/store";
import { type KeptNames, type Names, nameReader } from "../catalog/catalog-names.js";
import type { Connection } from "../engine/connection.js";

/** Budgets with their names, and names alone, kept so that another read of one runs no statement and parses nothing. */
export interface BudgetsAndNames extends KeptNames {
  /** As of now; null = unknown. Inside a snapshot: else the names could be older than the budget. */
  find(businessId: string, id: string): NamedBudget | null;
  /** A write of the budget calls it inside its transaction. */
  forget(budget: Pick<Budget, "businessId" | "id">): void;
}

export function cachedBudgets(connection: Connection): BudgetsAndNames {
  const findDocument = connection.value("SELECT document FROM budgetkit_budgets WHERE business_id = ? AND id = ?");
  const newNames = nameReader(connection);
  const kept = connection.keep(() => ({ names: newNames(), budgets: new BudgetCache() }));

  return {
    find: (businessId, id) => {
      const { budgets, names } = kept.current();
      const known = budgets.get(businessId, id);
      if (known !== undefined) return known;
      const document = findDocument(idToFind(businessId), idToFind(id));
      if (typeof document !== "string") return null;
      const found = withNames(asDocument(document), names);
      budgets.add(found.budget, found, document.length);
      return found;
    },
    names: () => kept.current().names,
    forget: ({ businessId, id }) => kept.forgetSome(({ budgets }) => budgets.delete(businessId, id)),
    forgetNames: kept.forget,
  };
}

function withNames(budget: Budget, names: Names): NamedBudget {
  const { businessId, customerId, items } = budget;
  return {
    budget,
    customer: names.customer(businessId, customerId),
    products: names.products(businessId, productNamesOf(items)),
  };
}
