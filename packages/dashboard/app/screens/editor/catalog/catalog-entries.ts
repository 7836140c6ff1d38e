import type { Package, Product } from "@budgetkit/client";
import { decimalOf } from "../document/decimals.js";
import type { Line } from "../document/line.js";

/** Something of the catalog that a line can be: a product, a variant of one, or a package. */
export interface CatalogEntry {
  readonly id: string;
  readonly name: string;
  readonly detail: string; // number and options, for people
  readonly price: number | null; // null = none, or in another currency
  readonly currency: string;
  /** What the line takes over. Taxes are ids of the business. */
  readonly fields: Partial<Line>;
}

type Priced = Pick<Product, "unit" | "taxes" | "recurring" | "priceTiers" | "unitCost">;

/** The entries of products and packages that are offered. A price in another currency than the budget's is left open. */
export function entriesOf(
  products: readonly Product[],
  packages: readonly Package[],
  currency: string,
): readonly CatalogEntry[] {
  return [
    ...products.filter(({ active }) => active).flatMap((product) => productEntries(product, currency)),
    ...packages.filter(({ active }) => active).map((each) => packageEntry(each, currency)),
  ];
}

function productEntries(product: Product, currency: string): CatalogEntry[] {
  const variants = product.variants.filter(({ active }) => active);
  const fieldsOf = (price: number | null, own: Priced) =>
    lineFields(product, price, own, product.currency === currency);
  if (variants.length === 0) {
    const { id, name, sku, unitPrice } = product;
    const fields = { ...fieldsOf(unitPrice, product), productId: id };
    return [{ id, name, detail: sku ?? "", price: unitPrice, currency: product.currency, fields }];
  }
  return variants.map((variant) => {
    const price = variant.unitPrice ?? product.unitPrice;
    const own = {
      ...product,
      priceTiers: variant.priceTiers ?? (variant.unitPrice === null ? product.priceTiers : undefined),
      unitCost: variant.unitCost ?? product.unitCost,
    };
    const name = variant.name.startsWith(product.name) ? variant.name : `${product.name}, ${variant.name}`;
    const fields = {
      ...lineFields({ ...product, name }, price, withoutUndefined(own), product.currency === currency),
      productId: product.id,
      variantId: variant.id,
    };
    return {
      id: `${product.id} ${variant.id}`,
      name,
      detail: variant.sku ?? "",
      price,
      currency: product.currency,
      fields,
    };
  });
}

function packageEntry(each: Package, currency: string): CatalogEntry {
  const { id, name, effectivePrice } = each;
  const fields = { ...lineFields(each, effectivePrice, each, each.currency === currency), packageId: id };
  return { id: `package ${id}`, name, detail: "", price: effectivePrice, currency: each.currency, fields };
}

function lineFields(
  { name, description }: { readonly name: string; readonly description: string | null },
  price: number | null,
  { unit, taxes, recurring, priceTiers = [], unitCost }: Priced,
  isSameCurrency: boolean,
): Partial<Line> {
  const [first] = priceTiers;
  const base = first?.from === 0 ? first.unitPrice : price;
  const tiers = first?.from === 0 ? priceTiers.slice(1) : priceTiers;
  return {
    description: description === null || description === "" ? name : `${name}\n${description}`,
    ...(unit === undefined ? {} : { unit }),
    ...(taxes === undefined ? {} : { taxes }),
    ...(isSameCurrency && base !== null ? { unitPrice: decimalOf(base) } : {}),
    ...(isSameCurrency && unitCost !== undefined ? { unitCost: decimalOf(unitCost) } : {}),
    ...(isSameCurrency
      ? { tiers: tiers.map((tier) => ({ from: decimalOf(tier.from), unitPrice: decimalOf(tier.unitPrice) })) }
      : {}),
    ...(recurring === undefined
      ? {}
      : {
          recurring: {
            interval: recurring.interval,
            intervalCount: String(recurring.intervalCount),
            cycles: recurring.cycles === null ? "" : String(recurring.cycles),
          },
        }),
  };
}

function withoutUndefined({
  unit,
  taxes,
  recurring,
  priceTiers,
  unitCost,
}: { [Field in keyof Priced]: Priced[Field] | undefined }): Priced {
  return {
    ...(unit === undefined ? {} : { unit }),
    ...(taxes === undefined ? {} : { taxes }),
    ...(recurring === undefined ? {} : { recurring }),
    ...(priceTiers === undefined ? {} : { priceTiers }),
    ...(unitCost === undefined ? {} : { unitCost }),
  };
}
