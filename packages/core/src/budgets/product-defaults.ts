import { ok, type Result } from "neverthrow";
import { type LineDefaults, lineDefaultsOf } from "../catalog/line-defaults.js";
import { unitPriceOf } from "../catalog/product-summary.js";
import type { Problem } from "../kernel/problem.js";
import type { Taxation } from "../pricing/totals-parts.js";
import type { PackageSnapshot } from "./budget.js";
import { settleTaxes, type TaxTerms } from "./default-taxes.js";
import type { LineInput } from "./line-input.js";
import type { ItemReference, Named } from "./references/references.js";

/** What the catalog has for a line that names a product or a package. */
interface CatalogOffer {
  readonly currency: string;
  readonly unitPrice: number | null; // null = no fixed price
  readonly defaults: LineDefaults;
}

type Packed = { readonly package?: PackageSnapshot | undefined };

/**
 * The offer for each line. None for a line of its own, nor for an unknown or deleted product, variant or package.
 * `packed` are the lines with the snapshots of their packages, which have the prices.
 */
export function offersFor(
  packed: readonly (ItemReference & Packed)[],
  named: Named,
): readonly (CatalogOffer | undefined)[] {
  return packed.map((line) => offerOf(line, named));
}

function offerOf(line: ItemReference & Packed, { products, packages }: Named): CatalogOffer | undefined {
  const { productId = null, variantId = null, packageId = null } = line;
  if (productId !== null) {
    const product = products.find({ productId, variantId });
    if (product === null || product.deletedAt !== null || product.variantId !== variantId) return undefined;
    const { currency, defaults = {} } = product;
    return { currency, unitPrice: unitPriceOf(product, { productId, variantId }), defaults };
  }
  const bundle = packageId === null ? undefined : packages.get(packageId);
  if (bundle === undefined || bundle.deletedAt !== null) return undefined;
  const { currency } = bundle;
  return { currency, unitPrice: line.package?.price ?? null, defaults: lineDefaultsOf(bundle) };
}

interface SettledLines {
  readonly lines: readonly LineInput[];
  readonly taxation: Taxation;
}

/** The lines with what the catalog brings to them, and the taxes of the budget with theirs. Errors: those of settleTaxes. */
export function settleLines(
  lines: readonly LineInput[],
  offers: readonly (CatalogOffer | undefined)[],
  currency: string,
  terms: TaxTerms,
): Result<SettledLines, Problem> {
  const { taxation, named } = terms;
  const isPlain = taxation.kind !== "taxes" && named === null && offers.every((offer) => offer === undefined);
  if (isPlain) return ok({ lines, taxation }); // as most budgets are
  const ofCatalog = lines.map((_line, index) => offers[index]?.defaults.taxes);
  const recurs = taxation.kind !== "amount"; // else no later cycle has a tax
  return settleTaxes(lines, ofCatalog, terms).map(({ taxation: settled, ofLines }) => ({
    taxation: settled,
    lines: lines.map((line, index) => {
      const filled = withDefaults(line, offers[index], { currency, recurs });
      const taxes = ofLines[index];
      return taxes === filled.taxes ? filled : { ...filled, taxes };
    }),
  }));
}

/** How the lines of a budget use the catalog. */
interface LineTerms {
  readonly currency: string;
  readonly recurs: boolean;
}

/**
 * The line with what it leaves out: a null of the request stays. Amounts need the currency of the budget; tiers a line
 * without a price of its own. Taxes are left to settleTaxes.
 */
function withDefaults(line: LineInput, offer: CatalogOffer | undefined, { currency, recurs }: LineTerms): LineInput {
  if (offer === undefined) return line;
  const { unit, recurring, priceTiers, unitCost } = offer.defaults;
  const isPriced = offer.currency === currency;
  const found: Partial<LineInput> = {
    ...(line.unit === undefined && unit !== undefined ? { unit } : {}),
    ...(line.recurring === undefined && recurring !== undefined && recurs ? { recurring } : {}),
    ...(isPriced && line.unitCost === undefined && unitCost !== undefined ? { unitCost } : {}),
    ...(isPriced && line.unitPrice === undefined ? priceOf(line, offer, priceTiers) : {}),
  };
  return Object.keys(found).length === 0 ? line : { ...line, ...found };
}

function priceOf(
  line: LineInput,
  { unitPrice }: CatalogOffer,
  priceTiers: LineDefaults["priceTiers"],
): Pick<LineInput, "unitPrice" | "priceTiers"> {
  return {
    ...(unitPrice === null ? {} : { unitPrice }),
    ...(line.priceTiers === undefined && priceTiers !== undefined ? { priceTiers } : {}),
  };
}
