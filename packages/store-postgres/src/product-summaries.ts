import { type CatalogStore, type Product, type ProductSummary, summariesOf } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import { idToFind, textToFind } from "./ids.js";
import { asInteger, asNumber, asText, orNull, type Row } from "./rows.js";

/** The variant of a row that is the product's own. It comes before all others. */
const ITSELF = "";

/** The rows of a product as the functions that write it take them. */
export function summaryRows(product: Product): readonly object[] {
  return summariesOf(product).map(({ productId, variantId, name, sku, unitPrice, currency, deletedAt }) => ({
    business_id: idToFind(product.businessId),
    product_id: productId,
    variant_id: variantId ?? ITSELF,
    name,
    sku,
    unit_price: unitPrice,
    currency,
    deleted_at: deletedAt,
  }));
}

export function postgresProductSummaries(connection: Connection): CatalogStore["findProductSummaries"] {
  const find = connection.rows(
    `SELECT found.product_id, found.variant_id, found.name, found.sku, found.unit_price, found.currency, found.deleted_at
     FROM unnest($2::text[], $3::text[]) AS named (product_id, variant_id),
     LATERAL (
       SELECT * FROM @product_summaries AS stored
       WHERE stored.business_id = $1 AND stored.product_id = named.product_id
         AND stored.variant_id IN (named.variant_id, '${ITSELF}')
       ORDER BY stored.variant_id DESC LIMIT 1
     ) AS found`,
  );

  return async (businessId, names) => {
    const products = names.map(({ productId }) => textToFind(productId));
    const variants = names.map(({ variantId }) => textToFind(variantId ?? ITSELF));
    return (await find(idToFind(businessId), products, variants)).map(asProductSummary);
  };
}

function asProductSummary([product, variant, name, sku, unitPrice, currency, deletedAt]: Row): ProductSummary {
  return {
    productId: asText(product),
    variantId: variant === ITSELF ? null : asText(variant),
    name: asText(name),
    sku: orNull(sku, asText),
    unitPrice: orNull(unitPrice, asNumber),
    currency: asText(currency),
    deletedAt: orNull(deletedAt, asInteger),
  };
}
