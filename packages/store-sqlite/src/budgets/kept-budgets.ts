import { asDocument, type Budget, idToFind, type NamedBudget, productNamesOf } from "@budgetkit/core/store";
import { type KeptNames, type Names, nameReader } from "../catalog/catalog-names.js";
import type { Connection } from "../engine/connection.js";
import { ValuesOfBusinesses } from "../engine/values-of-businesses.js";

/**
 * Budgets with their names, and names alone, kept so that another read of one runs no statement and parses nothing. A
 * budget is kept from its second read on: one that is read once is not worth its place.
 */
export interface KeptBudgets extends KeptNames {
  /** As of now; null = unknown. Inside a snapshot: else the names could be older than the budget. */
  find(businessId: string, id: string): NamedBudget | null;
  /** A write of the budget calls it inside its transaction. */
  forget(budget: Pick<Budget, "businessId" | "id">): void;
}

const MAX_KEPT = 2_000;

/** In characters; a longer document is read each time. */
const LONGEST_KEPT = 4_096;

export function keptBudgets(connection: Connection): KeptBudgets {
  const findDocument = connection.value("SELECT document FROM budgetkit_budgets WHERE business_id = ? AND id = ?");
  const newNames = nameReader(connection);
  const kept = connection.keep(() => ({
    names: newNames(),
    budgets: new ValuesOfBusinesses<NamedBudget>(MAX_KEPT),
    readOnce: new ValuesOfBusinesses<true>(MAX_KEPT),
  }));

  return {
    find: (businessId, id) => {
      const { budgets, names, readOnce } = kept.current();
      const known = budgets.get(businessId, id);
      if (known !== undefined) return known;
      const document = findDocument(idToFind(businessId), idToFind(id));
      if (typeof document !== "string") return null;
      const found = withNames(asDocument(document), names);
      if (document.length > LONGEST_KEPT || hasNestedMetadata(found.budget)) return found;
      if (readOnce.get(businessId, id)) budgets.set(businessId, id, deepFreeze(found));
      else readOnce.set(businessId, id, true);
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

/** Parsed, nested values may take thirty times the memory of their text. */
function hasNestedMetadata({ metadata }: Budget): boolean {
  return Object.values(metadata).some((value) => typeof value === "object" && value !== null);
}

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) {
    if (typeof member === "object" && member !== null) deepFreeze(member);
  }
  return Object.freeze(value);
}
