import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { type Actor, ROLES } from "../../kernel/actor.js";
import { toTimestamp } from "../../kernel/clock.js";
import { emailAddress } from "../../kernel/fields.js";
import { brokenRule, notFound, type Problem } from "../../kernel/problem.js";
import type { AccessContext } from "../access-context.js";
import { changeUser } from "../change-user.js";
import { displayName, insertUser, refuseAdministration } from "../manage-users.js";
import { NO_PASSWORD, type User } from "../user.js";
import { type AccountView, accountViewOf } from "../user-view.js";
import { mailToken, passwordLink } from "./mail-token.js";
import { type MintedToken, mintOneTimeToken } from "./one-time-token.js";

export const inviteUserSchema = z.object({
  /** Unique over all businesses. */
  email: emailAddress,
  /** Name for people to read. */
  displayName,
  /** What the user may do in the business. */
  role: z.enum(ROLES),
});
/** A user who sets a password with a token. */
export interface InviteUser extends z.input<typeof inviteUserSchema> {}
export type InviteUserInput = z.output<typeof inviteUserSchema>;

/** A one-time token to deliver to its user. It is shown once. */
export interface IssuedToken {
  /** The invited user. */
  readonly user: AccountView;
  /** For POST /auth/set-password. */
  readonly token: string;
  /** Leads to the page on which the user sets a password. */
  readonly link: string;
  /** ISO 8601, in UTC. */
  readonly expiresAt: string;
}

/**
 * Creates a user without a password, and a token by which the user sets one within 7 days. With a mailer the user also
 * gets a mail. Errors: forbidden; not-found for an unknown business; conflict when any business has a user with this
 * email.
 */
export async function inviteUser(
  context: AccessContext,
  actor: Actor,
  input: InviteUserInput,
): Promise<Result<IssuedToken, Problem>> {
  const refusal = refuseAdministration(actor, [input.role]);
  if (refusal !== null) return err(refusal);
  const { businessId } = actor;
  if ((await context.store.findBusiness(businessId)) === null) return err(notFound("business", businessId));
  const id = await context.ids.next(businessId);
  const minted = mintOneTimeToken(context.random, { businessId, id }, "invitation", context.clock.now());
  const given = { ...input, businessId, emailVerified: false, passwordHash: NO_PASSWORD, oneTimeToken: minted.stored };
  const inserted = await insertUser(context, actor, "user.invited", given, id);
  if (inserted.isErr()) return err(inserted.error);
  mailToken(context, inserted.value, minted);
  return ok(issuedToken(context, inserted.value, minted));
}

/**
 * Makes a token that the caller delivers: of an invitation (7 days) for a user without a password, else to set a new
 * password within an hour. It replaces the token before. Errors: forbidden, not-found, USER_DISABLED, conflict.
 */
export async function issueToken(
  context: AccessContext,
  actor: Actor,
  userId: string,
): Promise<Result<IssuedToken, Problem>> {
  const refusal = refuseAdministration(actor, []);
  if (refusal !== null) return err(refusal);
  const now = context.clock.now();
  let minted: MintedToken | null = null;
  const changed = await changeUser(context, actor, userId, now, (user) => {
    const refused = refuseAdministration(actor, [user.role]);
    if (refused !== null) return err(refused);
    if (user.disabledAt !== null) return err(disabled);
    const purpose = user.passwordHash === NO_PASSWORD ? "invitation" : "password-reset";
    minted = mintOneTimeToken(context.random, user, purpose, now);
    const act = purpose === "invitation" ? "user.invited" : "user.reset_requested";
    return ok({ user: { ...user, oneTimeToken: minted.stored }, act });
  });
  return changed.andThen((user) =>
    minted === null ? err(notFound("user", userId)) : ok(issuedToken(context, user, minted)),
  );
}

const disabled: Problem = brokenRule("USER_DISABLED", "The user is disabled; enable the user first.");

function issuedToken(context: AccessContext, user: User, { token, stored }: MintedToken): IssuedToken {
  return {
    user: accountViewOf(user),
    token,
    link: passwordLink(context, token),
    expiresAt: toTimestamp(stored.expiresAt),
  };
}
