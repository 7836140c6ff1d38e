import { type AccessContext, inBackground } from "../access-context.js";
import type { User } from "../user.js";
import type { MintedToken } from "./one-time-token.js";

/** The link for a token. The token is in the fragment of a host's page, which no server logs. */
export function passwordLink({ passwordPageUrl, publicBaseUrl }: AccessContext, token: string): string {
  if (passwordPageUrl !== null) return `${passwordPageUrl}#token=${token}`;
  return `${publicBaseUrl}/auth/password-page?token=${token}`;
}

/** Mails a token to its user, if there is a mailer. The caller does not wait; a failure goes to `onError`. */
export function mailToken(context: AccessContext, user: User, minted: MintedToken): void {
  if (context.mailer !== null) inBackground(context, () => sendToken(context, user, minted));
}

/** Rejects when the mailer does. */
export async function sendToken(
  context: AccessContext,
  { businessId, email, displayName }: User,
  { token, stored }: MintedToken,
): Promise<void> {
  const business = await context.store.findBusiness(businessId);
  await context.mailer?.send({
    purpose: stored.purpose,
    to: email,
    displayName,
    businessName: business?.name ?? "",
    token,
    link: passwordLink(context, token),
    expiresAt: new Date(stored.expiresAt),
  });
}
