import { z } from "zod";
import { SIZES } from "../kernel/fields.js";

/** Largest sizes that a record of the catalog may have, besides those that all requests share. */
export const CATALOG_SIZES = {
  sku: 64,
  email: 254,
  phone: 64,
  taxCondition: 64,
  options: 10,
  optionValues: 100,
  variants: 100,
  packageItems: 100,
} as const;

export const name = z.string().min(1).max(SIZES.name);
export const sku = z.string().min(1).max(CATALOG_SIZES.sku);
