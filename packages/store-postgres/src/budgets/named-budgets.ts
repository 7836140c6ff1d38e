import {
  asDocument,
  asText,
  type Budget,
  type BudgetStore,
  type CatalogStore,
  idToFind,
  KeptBudgets,
  type NamedBudget,
  productNamesOf,
} from "@budgetkit/core/store";
import type { Connection } from "../engine/connection.js";

type Catalog = Pick<CatalogStore, "findCustomers" | "findProductSummaries">;

/**
 * Reads budgets with their names, and keeps what it read. Another read only asks for the mark of the budget: the database
 * returns the document under another mark than the known one.
 *
 * A mark changes with each commit that changes the budget, or a customer or product of its business. It is never used
 * again: transactions of one server have different numbers, and the mark has the start of the server. The names are read
 * after the mark. If they are newer, the mark has changed, and no later read finds them under it.
 */
export function postgresNamedBudgets(connection: Connection, catalog: Catalog): BudgetStore["findNamedBudget"] {
  const find = connection.lookUp({
    key: { business: "bigint", id: "bigint", known: "text" },
    row: `SELECT mark, CASE WHEN mark <> key.known THEN document END FROM (
        SELECT document, concat_ws(' ', pg_postmaster_start_time(), xmin, version,
          (SELECT mark FROM @catalog_marks WHERE business_id = key.business)) AS mark
        FROM @budgets WHERE business_id = key.business AND id = key.id
      ) AS stored`,
  });
  const kept = new KeptBudgets();
  const marks = new WeakMap<NamedBudget, string>();

  return async (businessId, id) => {
    const known = kept.get(businessId, id);
    const knownMark = known === undefined ? "" : (marks.get(known) ?? "");
    const [row] = await find([[idToFind(businessId), idToFind(id), knownMark]]);
    if (row === null || row === undefined) return null;
    const [mark, document] = row;
    if (known !== undefined && document === null) return known;
    const found = await withNames(catalog, asDocument<Budget>(document));
    kept.add(found, asText(document).length);
    marks.set(found, asText(mark));
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
