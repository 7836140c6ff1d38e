import {
  asDocument,
  asText,
  type Budget,
  BudgetCache,
  type BudgetStore,
  type CatalogStore,
  idToFind,
  type NamedBudget,
  productNamesOf,
} from "@budgetkit/core/store";
import type { Connection } from "../engine/connection.js";

type Catalog = Pick<CatalogStore, "findCustomers" | "findProductSummaries">;

interface MarkedBudget {
  readonly found: NamedBudget;
  readonly mark: string;
}

/**
 * Reads budgets with their names, and caches what it read. A mark works as an ETag does: another read of a budget sends
 * the mark that it knows, and the database returns the document only if its mark differs from the one that was sent.
 *
 * A mark changes with each commit that changes the budget, or a customer or product of its business:
 * - the version differs between the committed states of a budget;
 * - xmin, the transaction, differs between two writes of one version of which the first was undone. It has 32 bits, so it
 *   alone might come back;
 * - the start of the server differs after a restored backup or a fail-over, where the same numbers may be used again;
 * - the mark of the catalog is random and new with each change of a name.
 *
 * The names are read after the mark. If they are newer, the mark has changed, and no later read finds them under it.
 */
export function postgresNamedBudgets(connection: Connection, catalog: Catalog): BudgetStore["findNamedBudget"] {
  const find = connection.lookUp({
    key: { business: "bigint", id: "bigint", known: "text" },
    row: `SELECT mark, CASE WHEN mark <> key.known THEN document END FROM (
        SELECT document, concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()), xmin, version,
          (SELECT mark FROM @catalog_marks WHERE business_id = key.business)) AS mark
        FROM @budgets WHERE business_id = key.business AND id = key.id
      ) AS stored`,
  });
  const cache = new BudgetCache<MarkedBudget>();

  return async (businessId, id) => {
    const known = cache.get(businessId, id);
    const [row] = await find([[idToFind(businessId), idToFind(id), known?.mark ?? ""]]);
    if (row === null || row === undefined) return null;
    const [mark, document] = row;
    if (known !== undefined && document === null) return known.found;
    const found = await withNames(catalog, asDocument<Budget>(document));
    cache.add(found.budget, { found, mark: asText(mark) }, asText(document).length);
    return found;
  };
}

async function withNames(catalog: Catalog, budget: Budget): Promise<NamedBudget> {
  const [[customer = null], products] = await Promise.all([
    catalog.findCustomers(budget.businessId, [budget.customerId]),
    catalog.findProductSummaries(budget.businessId, productNamesOf(budget.items)),
  ]);
  return { budget, customer, products };
}
