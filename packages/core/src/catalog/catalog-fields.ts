import { z } from "zod";
import { SIZES } from "../kernel/fields.js";

/** The largest sizes in a catalog record, beside {@link SIZES}. */
export const CATALOG_SIZES = {
  sku: 64,
  phone: 64,
  taxCondition: 64,
  options: 10,
  optionValues: 100,
  variants: 100,
  packageItems: 100,
} as const;

export const name = z.string().min(1).max(SIZES.name);
export const sku = z.string().min(1).max(CATALOG_SIZES.sku);

/** Separators that people write between the digits. */
const SEPARATORS = /[-. ]/g;

const DNI = /^\d{7,8}$/;
const CUIT = /^[1-9]\d{10}$/;
const CUIT_WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];
const MAX_WRITTEN = 32;

/** The 7 or 8 digits of a DNI ("30.123.456"); null when the text is not one. */
function dniOf(text: string): string | null {
  const digits = text.replace(SEPARATORS, "");
  return DNI.test(digits) ? digits : null;
}

/**
 * The 11 digits of a CUIT ("20-12345678-6"); null when the text is not one. The last digit is a check digit (modulo 11).
 * A number whose check digit would be 10 is never issued.
 */
function cuitOf(text: string): string | null {
  const digits = text.replace(SEPARATORS, "");
  return CUIT.test(digits) && checkDigitOf(digits) === Number(digits[10]) ? digits : null;
}

function checkDigitOf(digits: string): number {
  const sum = CUIT_WEIGHTS.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  return (11 - (sum % 11)) % 11;
}

export const dni = cleaned(dniOf, "must have 7 or 8 digits");
export const cuit = cleaned(cuitOf, "must have 11 digits of which the last checks the others");

/** A text field that is stored in its clean form. */
function cleaned(clean: (text: string) => string | null, message: string) {
  return z
    .string()
    .max(MAX_WRITTEN)
    .transform((text, context): string => {
      const value = clean(text);
      if (value !== null) return value;
      context.addIssue({ code: "custom", message, params: { code: "INVALID_FORMAT" } });
      return z.NEVER;
    });
}
