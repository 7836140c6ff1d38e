import type { CatalogStore, LineDefaults, ProductSummary } from "@budgetkit/core/store";
import { asDocument, asInteger, asNumber, asText, idToFind, orNull, type Row } from "@budgetkit/store-kit";
import { textToFind } from "../engine/arguments.js";
import type { KeyedRows, LookUp } from "../engine/dataloader.js";

/** The variant id in the row of the product itself. Sorts before all others. */
const ITSELF = "";

export const PRODUCT_SUMMARIES: KeyedRows = {
  key: { business: "bigint", product: "text", variant: "text" },
  row: `SELECT product_id, variant_id, name, sku, unit_price, currency, deleted_at, line_defaults
    FROM @product_summaries
    WHERE business_id = key.business AND product_id = key.product AND variant_id = key.variant`,
};

/** `find`: looks up {@link PRODUCT_SUMMARIES}. */
export function productSummaryFinder(find: LookUp): CatalogStore["findProductSummaries"] {
  return async (businessId, names) => {
    const business = idToFind(businessId);
    const keys = names.map(({ productId, variantId }) => {
      const product = textToFind(productId);
      const itself = [business, product, ITSELF] as const;
      return variantId === null ? [itself] : [[business, product, textToFind(variantId)] as const, itself];
    });
    const rows = await find(keys.flat());
    let from = 0;
    const firsts = keys.map(({ length }) => {
      from += length;
      return rows.slice(from - length, from).find((row) => row !== null);
    });
    return firsts.filter((row) => row !== undefined).map(asProductSummary);
  };
}

function asProductSummary([
  product,
  variant,
  name,
  sku,
  unitPrice,
  currency,
  deletedAt,
  defaults,
]: Row): ProductSummary {
  return {
    productId: asText(product),
    variantId: variant === ITSELF ? null : asText(variant),
    name: asText(name),
    sku: orNull(sku, asText),
    unitPrice: orNull(unitPrice, asNumber),
    currency: asText(currency),
    deletedAt: orNull(deletedAt, asInteger),
    ...(defaults === null ? {} : { defaults: asDocument<LineDefaults>(defaults) }),
  };
}
