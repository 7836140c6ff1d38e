import { type Random, randomToken } from "../../kernel/random.js";
import { sha256Hex } from "../../kernel/secret-box.js";
import type { BudgetContext } from "../budget-context.js";

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** A token of 256 bits, and the digest that the store keeps. */
export function mintPublicToken(random: Random): { token: string; hash: string } {
  const token = randomToken(random, TOKEN_BYTES);
  return { token, hash: sha256Hex(token) };
}

/** The digest for a look-up; null for text that cannot be a token. */
export function publicTokenHash(token: string): string | null {
  return TOKEN.test(token) ? sha256Hex(token) : null;
}

export function publicUrlOf({ publicBaseUrl }: Pick<BudgetContext, "publicBaseUrl">, token: string): string {
  return `${publicBaseUrl}/p/${token}`;
}
