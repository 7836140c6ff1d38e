import type { CreatePackage, Package } from "@budgetkit/client";
import { type DecimalSign, numberText } from "../../../formats/read-number.js";
import { metadataText, readMetadata } from "../../records/metadata.js";
import type { DraftReader } from "./draft-reader.js";
import { type DefaultsDraft, defaultsDraftOf, EMPTY_DEFAULTS, newKey, readDefaults } from "./line-defaults-draft.js";

export interface PackageItemDraft {
  readonly key: string;
  readonly productId: string;
  readonly variantId: string; // empty = none
  readonly quantity: string;
}

/** What stands in the fields of a package's form. */
export interface PackageDraft extends DefaultsDraft {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly price: string; // empty = the sum of the items
  readonly currency: string;
  readonly active: boolean;
  readonly items: readonly PackageItemDraft[];
  readonly metadata: string;
}

export function emptyPackage(currency: string): PackageDraft {
  const texts = { id: "", name: "", description: "", price: "", metadata: "" };
  return { ...EMPTY_DEFAULTS, ...texts, currency, active: true, items: [] };
}

export function packageDraftOf(bundle: Package, decimal: DecimalSign): PackageDraft {
  const { name, description, price, currency, active, items, metadata } = bundle;
  return {
    ...defaultsDraftOf(bundle, decimal),
    id: "",
    name,
    description: description ?? "",
    price: numberText(price, decimal),
    currency,
    active,
    items: items.map(({ productId, variantId, quantity }) => ({
      key: newKey(),
      productId,
      variantId: variantId ?? "",
      quantity: numberText(quantity, decimal),
    })),
    metadata: metadataText(metadata),
  };
}

/** The content that the draft stands for, as far as its fields can be read. */
export function packageInputOf(reader: DraftReader, draft: PackageDraft): Omit<CreatePackage, "id"> {
  const metadata = readMetadata(draft.metadata);
  if (metadata === null) reader.note("metadata", "metadata");
  if (draft.items.length === 0) reader.note("items", "items");
  return {
    ...readDefaults(reader, draft),
    name: draft.name.trim(),
    description: draft.description.trim() || null,
    price: reader.number("price", draft.price),
    currency: draft.currency.trim().toUpperCase(),
    active: draft.active,
    items: draft.items.map(({ productId, variantId, quantity }, index) => ({
      productId,
      variantId: variantId === "" ? null : variantId,
      quantity: reader.neededNumber(`items[${index}].quantity`, quantity),
    })),
    metadata: metadata ?? {},
  };
}
