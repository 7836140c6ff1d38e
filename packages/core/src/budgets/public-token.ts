import { randomToken, sha256Hex } from "../kernel/digest.js";
import type { Random } from "../kernel/random.js";
import type { BudgetContext } from "./budget-context.js";

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** A token of 256 bits and the digest under which it is kept. */
export function mintPublicToken(random: Random): { token: string; hash: string } {
  const token = randomToken(random, TOKEN_BYTES);
  return { token, hash: sha256Hex(token) };
}

/** The digest to look a presented token up by; null for text that cannot be a token. */
export function publicTokenHash(token: string): string | null {
  return TOKEN.test(token) ? sha256Hex(token) : null;
}

export function publicUrlOf({ publicBaseUrl }: Pick<BudgetContext, "publicBaseUrl">, token: string): string {
  return `${publicBaseUrl}/p/${token}`;
}
