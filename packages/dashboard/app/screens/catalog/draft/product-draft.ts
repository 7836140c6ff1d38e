import type { CreateProduct, Product } from "@budgetkit/client";
import { type DecimalSign, numberText } from "../../../formats/read-number.js";
import { metadataText, readMetadata } from "../../records/metadata.js";
import type { DraftReader } from "./draft-reader.js";
import {
  type DefaultsDraft,
  defaultsDraftOf,
  EMPTY_DEFAULTS,
  EMPTY_PRICES,
  newKey,
  type PricesDraft,
  pricesDraftOf,
  readDefaults,
  readPrices,
} from "./line-defaults-draft.js";

export interface OptionDraft {
  readonly key: string;
  readonly name: string;
  readonly values: string; // with commas between them
}

export interface VariantDraft extends PricesDraft {
  readonly key: string;
  readonly id: string | null; // null = the service assigns one
  readonly name: string;
  readonly sku: string;
  readonly unitPrice: string; // empty = the product's
  readonly active: boolean;
  readonly options: Readonly<Record<string, string>>;
}

/** What stands in the fields of a product's form. */
export interface ProductDraft extends DefaultsDraft {
  readonly id: string;
  readonly name: string;
  readonly sku: string;
  readonly description: string;
  readonly unitPrice: string;
  readonly currency: string;
  readonly taxPercent: string;
  readonly active: boolean;
  readonly options: readonly OptionDraft[];
  readonly variants: readonly VariantDraft[];
  readonly metadata: string;
}

export function emptyProduct(currency: string): ProductDraft {
  return {
    ...EMPTY_DEFAULTS,
    id: "",
    name: "",
    sku: "",
    description: "",
    unitPrice: "",
    currency,
    taxPercent: "",
    active: true,
    options: [],
    variants: [],
    metadata: "",
  };
}

export function emptyVariant(): VariantDraft {
  return { ...EMPTY_PRICES, key: newKey(), id: null, name: "", sku: "", unitPrice: "", active: true, options: {} };
}

export function productDraftOf(product: Product, decimal: DecimalSign): ProductDraft {
  const { name, sku, description, unitPrice, currency, taxRate, active, options, variants, metadata } = product;
  return {
    ...defaultsDraftOf(product, decimal),
    id: "",
    name,
    sku: sku ?? "",
    description: description ?? "",
    unitPrice: numberText(unitPrice, decimal),
    currency,
    taxPercent: taxRate === null ? "" : numberText(percentOf(taxRate), decimal),
    active,
    options: options.map((option) => ({ key: newKey(), name: option.name, values: option.values.join(", ") })),
    variants: variants.map((variant) => ({
      ...pricesDraftOf(variant, decimal),
      key: newKey(),
      id: variant.id,
      name: variant.name,
      sku: variant.sku ?? "",
      unitPrice: numberText(variant.unitPrice, decimal),
      active: variant.active,
      options: variant.options,
    })),
    metadata: metadataText(metadata),
  };
}

/** The content that the draft stands for, as far as its fields can be read. */
export function productInputOf(reader: DraftReader, draft: ProductDraft): Omit<CreateProduct, "id"> {
  const metadata = readMetadata(draft.metadata);
  if (metadata === null) reader.note("metadata", "metadata");
  const percent = reader.number("taxRate", draft.taxPercent);
  return {
    ...readDefaults(reader, draft),
    name: draft.name.trim(),
    sku: draft.sku.trim() || null,
    description: draft.description.trim() || null,
    unitPrice: reader.number("unitPrice", draft.unitPrice),
    currency: draft.currency.trim().toUpperCase(),
    taxRate: percent === null ? null : rateOf(percent),
    active: draft.active,
    options: draft.options.map(({ name, values }) => ({ name: name.trim(), values: valuesOf(values) })),
    variants: draft.variants.map((variant, index) => ({
      ...readPrices(reader, variant, `variants[${index}].`),
      ...(variant.id === null ? {} : { id: variant.id }),
      name: variant.name.trim(),
      sku: variant.sku.trim() || null,
      unitPrice: reader.number(`variants[${index}].unitPrice`, variant.unitPrice),
      active: variant.active,
      options: chosenOf(variant, draft.options),
    })),
    metadata: metadata ?? {},
  };
}

/** The values of an option, as they were written with commas between them. */
export function valuesOf(text: string): string[] {
  return [...new Set(text.split(",").map((value) => value.trim()))].filter((value) => value !== "");
}

/** Options that the product has no more are left out. */
function chosenOf({ options }: VariantDraft, offered: readonly OptionDraft[]): Record<string, string> {
  const names = offered.map(({ name }) => name.trim());
  return Object.fromEntries(Object.entries(options).filter(([name, value]) => names.includes(name) && value !== ""));
}

/** Without the noise of binary fractions: 0.105 is 10.5 %. */
export function percentOf(rate: number): number {
  return Number((rate * 100).toFixed(6));
}

export function rateOf(percent: number): number {
  return Number((percent / 100).toFixed(8));
}
