import { type Budget, BudgetCache, type BudgetStore, type NamedBudget, productNamesOf } from "@budgetkit/core/store";
import { asDocument, asText, idToFind } from "@budgetkit/store-kit";
import { CUSTOMER_SUMMARIES, customerSummaryFinder } from "../catalog/customer-summaries.js";
import { PRODUCT_SUMMARIES, productSummaryFinder } from "../catalog/product-summaries.js";
import type { Connection } from "../commit/connection.js";
import type { KeyedRows, LookUp } from "../engine/dataloader.js";

interface MarkedBudget {
  readonly found: NamedBudget;
  readonly mark: string;
}

/** New with each change of a name of the business: see step 20. */
const CATALOG_MARK = "(SELECT mark FROM @catalog_marks WHERE business_id = key.business)";

/**
 * Reads budgets with their names, and caches what it read. A mark works as an ETag does: another read of a budget sends
 * the mark that it knows, and the database returns the document only if its mark differs.
 *
 * A mark is the digest of the document and of the mark of the catalog. Where a budget may be cached, each name is read
 * together with the mark of the catalog, and the budget is cached only if all of these are equal. So what is cached under
 * a mark is what the database has under it, also where a crash or the host undoes changes, and their marks, in the middle
 * of a read.
 */
export function postgresNamedBudgets(connection: Connection): BudgetStore["findNamedBudget"] {
  // OFFSET 0: else the mark is computed twice.
  const find = connection.lookUp({
    key: { business: "bigint", id: "bigint", known: "text" },
    row: `SELECT mark, catalog_mark, CASE WHEN mark <> key.known THEN document END FROM (
        SELECT document, catalog_mark, encode(sha256(convert_to(concat(document, catalog_mark), 'UTF8')), 'hex') AS mark
        FROM @budgets, LATERAL (SELECT ${CATALOG_MARK} AS catalog_mark OFFSET 0) AS catalog
        WHERE business_id = key.business AND id = key.id OFFSET 0
      ) AS stored`,
  });
  const findCustomers = connection.lookUp(CUSTOMER_SUMMARIES);
  const findProducts = connection.lookUp(PRODUCT_SUMMARIES);
  const findMarkedCustomers = connection.lookUp(marked(CUSTOMER_SUMMARIES));
  const findMarkedProducts = connection.lookUp(marked(PRODUCT_SUMMARIES));
  const cache = new BudgetCache<MarkedBudget>();

  return async (businessId, id) => {
    const known = cache.get(businessId, id);
    const [row] = await find([[idToFind(businessId), idToFind(id), known?.mark ?? ""]]);
    if (row === null || row === undefined) return null;
    const [mark, catalogMark, document] = row;
    if (known !== undefined && document === null) return known.found;
    const budget = asDocument<Budget>(document);
    if (!cache.noteRead(budget)) return withNames(budget, findCustomers, findProducts);
    const marks: unknown[] = [];
    const found = await withNames(
      budget,
      collecting(marks, findMarkedCustomers),
      collecting(marks, findMarkedProducts),
    );
    if (marks.every((each) => each === catalogMark)) {
      cache.set(budget, { found, mark: asText(mark) }, asText(document).length);
    }
    return found;
  };
}

async function withNames(budget: Budget, findCustomers: LookUp, findProducts: LookUp): Promise<NamedBudget> {
  const { businessId, customerId, items } = budget;
  const [[customer = null], products] = await Promise.all([
    customerSummaryFinder(findCustomers)(businessId, [customerId]),
    productSummaryFinder(findProducts)(businessId, productNamesOf(items)),
  ]);
  return { budget, customer, products };
}

/** The same rows behind the mark of the catalog, which is there without a row too. */
function marked({ key, row }: KeyedRows): KeyedRows {
  return {
    key,
    row: `SELECT ${CATALOG_MARK}, stored.* FROM (VALUES (1)) AS one LEFT JOIN LATERAL (${row}) AS stored ON true`,
  };
}

/** Moves the marks of {@link marked} rows to a list. The first column of a row that is there is not null. */
function collecting(marks: unknown[], lookUp: LookUp): LookUp {
  return async (keys) => {
    const rows = await lookUp(keys);
    return rows.map((given) => {
      const [mark, ...row] = given ?? [];
      marks.push(mark);
      return row[0] === null ? null : row;
    });
  };
}
