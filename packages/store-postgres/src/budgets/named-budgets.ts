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
 * Reads budgets with their names, and caches what it read, unless `caches` is false. A mark works as an ETag does: another
 * read of a budget sends the mark that it knows, and the database returns the document only if its mark differs.
 *
 * A mark is the digest of the document and of a value that is new with each change of a name: see step 20. A budget is
 * cached only if its mark is the same before and after its names were read. So a change of a name that is undone later, as
 * a crash undoes an asynchronous commit, cannot stay in the cache under the mark that comes back. In a host's transaction,
 * which may undo a change at any time, nothing is cached.
 */
export function postgresNamedBudgets(
  connection: Connection,
  catalog: Catalog,
  { caches }: { readonly caches: boolean },
): BudgetStore["findNamedBudget"] {
  // OFFSET 0: else the mark is computed twice.
  const find = connection.lookUp({
    key: { business: "bigint", id: "bigint", known: "text" },
    row: `SELECT mark, CASE WHEN mark <> key.known THEN document END FROM (
        SELECT document, encode(sha256(convert_to(concat(
          document, (SELECT mark FROM @catalog_marks WHERE business_id = key.business)
        ), 'UTF8')), 'hex') AS mark
        FROM @budgets WHERE business_id = key.business AND id = key.id OFFSET 0
      ) AS stored`,
  });
  const cache = new BudgetCache<MarkedBudget>();

  async function hasMark({ businessId, id }: Budget, mark: string): Promise<boolean> {
    const [row] = await find([[idToFind(businessId), idToFind(id), mark]]);
    return row?.[0] === mark;
  }

  return async (businessId, id) => {
    const known = cache.get(businessId, id);
    const [row] = await find([[idToFind(businessId), idToFind(id), known?.mark ?? ""]]);
    if (row === null || row === undefined) return null;
    const [mark, document] = row;
    if (known !== undefined && document === null) return known.found;
    const found = await withNames(catalog, asDocument<Budget>(document));
    const { budget } = found;
    if (caches && cache.noteRead(budget, asText(document).length) && (await hasMark(budget, asText(mark)))) {
      cache.set(budget, { found, mark: asText(mark) });
    }
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
