import type { BudgetContext } from "../budgets/budget-context.js";
import { publicTokenHash } from "../budgets/offer/public-token.js";
import { type Problem, TOO_MANY_REQUESTS } from "../kernel/problem.js";
import { admitLinkRequest, type LinkRequest } from "../limits/link-throttle.js";
import type { HttpContext } from "./http-context.js";

/** Charges a request to a public link. Returns the refusal; null = admitted. */
export async function refuseLinkRequest(
  { access, budgets }: Pick<HttpContext, "access" | "budgets">,
  request: Omit<LinkRequest, "isLink">,
): Promise<Problem | null> {
  const isKnown = () => isLink(budgets, request.token);
  const refusal = await admitLinkRequest(access.limits, { ...request, isLink: isKnown });
  if (refusal === null) return null;
  const { limit, remaining, resetAt } = refusal;
  return { kind: "rate-limited", message: TOO_MANY_REQUESTS, limit, remaining, resetAtMs: resetAt };
}

/** Whether a token belongs to a budget, also a draft or a deleted one: its mails are in the customer's mailbox. */
async function isLink({ store }: BudgetContext, token: string): Promise<boolean> {
  const hash = publicTokenHash(token);
  return hash !== null && (await store.findBudgetByPublicToken(hash)) !== null;
}
