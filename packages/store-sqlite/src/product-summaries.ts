import { type Product, type ProductName, type ProductSummary, summariesOf } from "@budgetkit/core/store";
import type { Connection, SqlValue } from "./connection.js";
import { asInteger, asNumber, asText, orNull } from "./rows.js";

/** The variant of a row that is the product's own. */
const ITSELF = "";

export const INSERT_SUMMARY = `INSERT INTO budgetkit_product_summaries
  (name, sku, unit_price, currency, deleted_at, business_id, product_id, variant_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

type Write = (...values: SqlValue[]) => unknown;

/** Keeps the rows of a product as they follow from its record, as a part of the transaction that writes it. */
export function productSummaryKeeper(connection: Connection): (business: number, product: Product) => void {
  const clear = connection.command("DELETE FROM budgetkit_product_summaries WHERE business_id = ? AND product_id = ?");
  const insert = connection.command(INSERT_SUMMARY);
  return (business, product) => {
    clear(business, product.id);
    writeSummaries(insert, business, product);
  };
}

/** The variant's row, else the product's own. */
export function productSummaryFinder(
  connection: Connection,
): (business: number, name: ProductName) => ProductSummary | null {
  const findRow = connection.row(
    `SELECT name, sku, unit_price, currency, deleted_at FROM budgetkit_product_summaries
     WHERE business_id = ? AND product_id = ? AND variant_id = ?`,
  );

  function find(business: number, { productId, variantId }: ProductName): ProductSummary | null {
    const row = findRow(business, productId, variantId ?? ITSELF);
    if (row === null) return null;
    const [name, sku, unitPrice, currency, deletedAt] = row;
    return {
      productId,
      variantId,
      name: asText(name),
      sku: orNull(sku, asText),
      unitPrice: orNull(unitPrice, asNumber),
      currency: asText(currency),
      deletedAt: orNull(deletedAt, asInteger),
    };
  }

  return (business, name) => {
    const found = find(business, name);
    return found === null && name.variantId !== null ? find(business, { ...name, variantId: null }) : found;
  };
}

export function writeSummaries(write: Write, business: number, product: Product): void {
  for (const { variantId, name, sku, unitPrice, currency, deletedAt } of summariesOf(product)) {
    write(name, sku, unitPrice, currency, deletedAt, business, product.id, variantId ?? ITSELF);
  }
}
