import { z } from "zod";

/** What people write between the digits. */
const SEPARATORS = /[-. ]/g;

const DNI = /^\d{7,8}$/;
const CUIT = /^[1-9]\d{10}$/;
const CUIT_WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];
const MAX_WRITTEN = 32;

/** The 7 or 8 digits of a DNI as it is written ("30.123.456"), or null when the text is none. */
function dniOf(text: string): string | null {
  const digits = text.replace(SEPARATORS, "");
  return DNI.test(digits) ? digits : null;
}

/**
 * The 11 digits of a CUIT as it is written ("20-12345678-6"), or null when the text is none: the last digit checks the
 * others, by modulo 11. A number whose check would have to be 10 is never issued.
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

/** Text that is stored in its clean form. */
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
