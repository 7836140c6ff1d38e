import {
  asDocument,
  type Budget,
  BudgetCache,
  idToFind,
  type NamedBudget,
  productNamesOf,
} from "@budgetkit/core/store";
import { type CachedNames, type Names, nameReader } from "../catalog/catalog-names.js";
import type { Connection } from "../engine/connection.js";

/** Budgets with their names, and names alone, cached so that another read of one runs no statement and parses nothing. */
export interface BudgetsAndNames extends CachedNames {
  /** As of now; null = unknown. Inside a snapshot: else the names could be older than the budget. */
  find(businessId: string, id: string): NamedBudget | null;
  /** A write of the budget calls it inside its transaction. */
  forget(budget: Pick<Budget, "businessId" | "id">): void;
}

export function cachedBudgets(connection: Connection): BudgetsAndNames {
  const findDocument = connection.value("SELECT document FROM budgetkit_budgets WHERE business_id = ? AND id = ?");
  const newNames = nameReader(connection);
  const values = connection.keep(() => ({ names: newNames(), budgets: new BudgetCache() }));

  return {
    find: (businessId, id) => {
      const { budgets, names } = values.current();
      const known = budgets.get(businessId, id);
      if (known !== undefined) return known;
      const document = findDocument(idToFind(businessId), idToFind(id));
      if (typeof document !== "string") return null;
      const found = withNames(asDocument(document), names);
      if (budgets.noteRead(found.budget, document.length)) budgets.set(found.budget, found);
      return found;
    },
    names: () => values.current().names,
    forget: ({ businessId, id }) => values.forgetSome(({ budgets }) => budgets.delete(businessId, id)),
    forgetNames: values.forget,
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
