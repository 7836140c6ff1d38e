import { type Random, randomToken } from "../../kernel/random.js";
import { sha256Hex } from "../../kernel/secret-box.js";
import type { Budget } from "../budget.js";
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

/** Null = the token leads nowhere: unknown, replaced or malformed, or the budget is a draft or deleted. */
export async function findByToken({ store }: BudgetContext, token: string): Promise<Budget | null> {
  const hash = publicTokenHash(token);
  const budget = hash === null ? null : await store.findBudgetByPublicToken(hash);
  return budget === null || budget.deletion !== null || budget.status === "DRAFT" ? null : budget;
}
