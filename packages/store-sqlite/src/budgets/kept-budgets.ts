import { asDocument, type Budget, idToFind, type NamedBudget, productNamesOf } from "@budgetkit/core/store";
import type { CatalogNames, Names } from "../catalog/catalog-names.js";
import type { Connection } from "../engine/connection.js";
import { ValuesOfBusinesses } from "../engine/values-of-businesses.js";

/** Budgets with their names, kept so that another read of one neither runs a statement nor parses its document. */
export interface KeptBudgets {
  /** As of now; null = unknown. Inside a read. */
  find(businessId: string, id: string): NamedBudget | null;
  /** A write of the budget calls it inside its transaction. */
  forget(budget: Pick<Budget, "businessId" | "id">): void;
}

interface KeptBudget {
  readonly found: NamedBudget;
  readonly names: Names; // those that `found` has; once a name has changed, they are others
}

const MAX_KEPT = 2_000;

/** In characters; a longer document is read each time. Parsed, one of this length takes about 20 kB. */
const LONGEST_KEPT = 8_192;

export function keptBudgets(connection: Connection, names: CatalogNames): KeptBudgets {
  const findDocument = connection.value("SELECT document FROM budgetkit_budgets WHERE business_id = ? AND id = ?");
  const kept = connection.keep(() => new ValuesOfBusinesses<KeptBudget>(MAX_KEPT));

  return {
    find: (businessId, id) => {
      const budgets = kept.current();
      const current = names.current();
      const known = budgets.get(businessId, id);
      if (known?.names === current) return known.found;
      const document = findDocument(idToFind(businessId), idToFind(id));
      if (typeof document !== "string") return null;
      const found = withNames(asDocument(document), current);
      if (document.length <= LONGEST_KEPT) budgets.set(businessId, id, { found: deepFreeze(found), names: current });
      return found;
    },
    forget: ({ businessId, id }) => kept.forgetSome((budgets) => budgets.delete(businessId, id)),
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

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) {
    if (typeof member === "object" && member !== null) deepFreeze(member);
  }
  return Object.freeze(value);
}
