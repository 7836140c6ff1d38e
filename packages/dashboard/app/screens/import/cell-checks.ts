import type { CellProblem } from "./row-reader.js";

const LOCAL_PART = /^[^\s@"(),:;<>[\\\]]+$/;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;
/** Of ASCII letters, or with letters of another script. */
const LAST_LABEL = /^(?:[a-z]{2,}|xn--[a-z0-9-]+|.*\P{ASCII}.*)$/iu;
const CUIT_WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

export function checkEmail(text: string): CellProblem | null {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, at).split(".");
  const domain = text.slice(at + 1).split(".");
  const isRight =
    at > 0 &&
    local.every((part) => LOCAL_PART.test(part)) &&
    domain.length > 1 &&
    domain.every((label) => LABEL.test(label)) &&
    LAST_LABEL.test(domain.at(-1) ?? "");
  return isRight ? null : "email";
}

/** 7 or 8 digits, with the separators that people write. */
export function checkDni(text: string): CellProblem | null {
  return /^\d{7,8}$/.test(digitsOf(text)) ? null : "dni";
}

/** 11 digits of which the last checks the others, by modulo 11. */
export function checkCuit(text: string): CellProblem | null {
  const digits = digitsOf(text);
  if (!/^[1-9]\d{10}$/.test(digits)) return "cuit";
  const sum = CUIT_WEIGHTS.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  return (11 - (sum % 11)) % 11 === Number(digits[10]) ? null : "cuit";
}

export function checkId(text: string): CellProblem | null {
  return /^[A-Za-z0-9._:-]+$/.test(text) ? null : "id";
}

export function checkCurrency(text: string): CellProblem | null {
  return /^[A-Za-z]{3}$/.test(text) ? null : "currency";
}

export function digitsOf(text: string): string {
  return text.replace(/[-. ]/g, "");
}
