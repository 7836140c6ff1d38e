import {
  type CustomerSummary,
  type LineDefaults,
  type Product,
  type ProductName,
  type ProductSummary,
  summariesOf,
} from "@budgetkit/core/store";
import {
  asCustomerSummary,
  asDocument,
  asInteger,
  asNumber,
  asText,
  CUSTOMER_SUMMARY_COLUMNS,
  idToFind,
  orNull,
} from "@budgetkit/store-kit";
import type { Connection } from "../engine/connection.js";

/** The variant id in the row of the product itself. */
const ITSELF = "";

/** Rewrites the summary rows of a product, in the transaction that writes the product. */
export function productSummaryKeeper(connection: Connection): (business: number, product: Product) => void {
  const clear = connection.command("DELETE FROM budgetkit_product_summaries WHERE business_id = ? AND product_id = ?");
  const insert = connection.command(
    `INSERT INTO budgetkit_product_summaries
       (name, sku, unit_price, currency, deleted_at, line_defaults, business_id, product_id, variant_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return (business, product) => {
    clear(business, product.id);
    for (const { variantId, name, sku, unitPrice, currency, deletedAt, defaults } of summariesOf(product)) {
      const lineDefaults = defaults === undefined ? null : JSON.stringify(defaults);
      insert(name, sku, unitPrice, currency, deletedAt, lineDefaults, business, product.id, variantId ?? ITSELF);
    }
  };
}

/** Finds a customer as part of a read. */
export function customerSummaryFinder(
  connection: Connection,
): (businessId: string, id: string) => CustomerSummary | null {
  const find = connection.row(
    `SELECT ${CUSTOMER_SUMMARY_COLUMNS} FROM budgetkit_customers WHERE business_id = ? AND id = ?`,
  );
  return (businessId, id) => orNull(find(idToFind(businessId), id), asCustomerSummary);
}

/** Finds, as part of a read, the row of the variant, or the product's row when the variant has none. */
export function productSummaryFinder(
  connection: Connection,
): (businessId: string, name: ProductName) => ProductSummary | null {
  const findRow = connection.row(
    `SELECT name, sku, unit_price, currency, deleted_at, line_defaults FROM budgetkit_product_summaries
     WHERE business_id = ? AND product_id = ? AND variant_id = ?`,
  );

  function find(business: number, { productId, variantId }: ProductName): ProductSummary | null {
    const row = findRow(business, productId, variantId ?? ITSELF);
    if (row === null) return null;
    const [name, sku, unitPrice, currency, deletedAt, defaults] = row;
    return {
      productId,
      variantId,
      name: asText(name),
      sku: orNull(sku, asText),
      unitPrice: orNull(unitPrice, asNumber),
      currency: asText(currency),
      deletedAt: orNull(deletedAt, asInteger),
      ...(defaults === null ? {} : { defaults: asDocument<LineDefaults>(defaults) }),
    };
  }

  return (businessId, name) => {
    const business = idToFind(businessId);
    const found = find(business, name);
    return found === null && name.variantId !== null ? find(business, { ...name, variantId: null }) : found;
  };
}
