import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { WriteOptions } from "../../idempotency/write-options.js";
import { type Actor, ROLES } from "../../kernel/actor.js";
import { type Instant, toTimestamp } from "../../kernel/clock.js";
import { emailKeyOf } from "../../kernel/email-address.js";
import { emailAddress, timestampView } from "../../kernel/fields.js";
import { brokenRule, notFound, type Problem, TOO_MANY_REQUESTS } from "../../kernel/problem.js";
import { admitInvitation } from "../../limits/invitation-limit.js";
import type { AccessContext } from "../access-context.js";
import { refuseAdministration } from "../administer-users.js";
import { changeUser } from "../change-user.js";
import { displayName, insertUser, newUser } from "../manage-users.js";
import { NO_PASSWORD, type User } from "../user.js";
import { type AccountView, accountViewOf, accountViewSchema } from "../user-view.js";
import { viewAccount } from "../view-accounts.js";
import { mailToken, passwordLink } from "./mail-token.js";
import { type MintedToken, mintOneTimeToken } from "./one-time-token.js";

export const inviteUserSchema = z
  .object({
    /** Unique over all businesses. */
    email: emailAddress,
    /** Name for people to read. */
    displayName,
    /** What the user may do in the business. */
    role: z.enum(ROLES),
  })
  .meta({ id: "InviteUser" });
/** A user who sets a password with a token. */
export interface InviteUser extends z.input<typeof inviteUserSchema> {}
export type InviteUserInput = z.output<typeof inviteUserSchema>;

export const issuedTokenSchema = z
  .object({
    /** The invited user. */
    user: accountViewSchema,
    /** For POST /auth/set-password. It works once. */
    token: z.string().describe("For POST /auth/set-password. It works once."),
    /** Leads to the page on which the user sets a password. */
    link: z.string().describe("Leads to the page on which the user sets a password."),
    /** ISO 8601, in UTC. */
    expiresAt: timestampView,
  })
  .meta({ id: "Invitation" });
/** A one-time token to deliver to its user. It is shown once. */
export interface IssuedToken extends Readonly<z.infer<typeof issuedTokenSchema>> {}

/**
 * Creates a user without a password, and a token by which the user sets one within 7 days. With a mailer the user also
 * gets a mail. Errors: forbidden; not-found for an unknown business; rate-limited; conflict when any business has a user
 * with this email, and when another request took over the idempotency key.
 */
export async function inviteUser(
  context: AccessContext,
  actor: Actor,
  input: InviteUserInput,
  { now = context.clock.now(), claim }: Pick<WriteOptions, "now" | "claim"> = {},
): Promise<Result<IssuedToken, Problem>> {
  const refusal = refuseAdministration(actor, [input.role]);
  if (refusal !== null) return err(refusal);
  const { businessId } = actor;
  if ((await context.store.findBusiness(businessId)) === null) return err(notFound("business", businessId));
  const tooMany = await refuseAboveLimit(context, actor, emailKeyOf(input.email), now);
  if (tooMany !== null) return err(tooMany);
  const id = await context.ids.next(businessId);
  const minted = mintOneTimeToken(context.random, { businessId, id }, "invitation", now);
  const given = { ...input, businessId, emailVerified: false, passwordHash: NO_PASSWORD, oneTimeToken: minted.stored };
  const user = newUser(given, id, now);
  const result = issuedToken(context, accountViewOf(user, 0), minted);
  const inserted = await insertUser(context, actor, "user.invited", user, { claim, result });
  if (inserted.isErr()) return err(inserted.error);
  mailToken(context, user, minted);
  return ok(result);
}

/**
 * Makes a new token for an invited user, which replaces the one before. With a mailer the user also gets a mail.
 * Errors: forbidden; not-found; rate-limited; USER_DISABLED; conflict for a user who has a password.
 */
export async function resendInvitation(
  context: AccessContext,
  actor: Actor,
  userId: string,
  now: Instant = context.clock.now(),
): Promise<Result<IssuedToken, Problem>> {
  const renewed = await renewToken(context, actor, userId, now, async (user) =>
    user.passwordHash === NO_PASSWORD ? refuseAboveLimit(context, actor, user.emailKey, now) : hasJoined,
  );
  if (renewed.isErr()) return err(renewed.error);
  const { user, minted } = renewed.value;
  mailToken(context, user, minted);
  return ok(issuedToken(context, await viewAccount(context, user), minted));
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
  const renewed = await renewToken(context, actor, userId, context.clock.now(), async () => null);
  if (renewed.isErr()) return err(renewed.error);
  const { user, minted } = renewed.value;
  return ok(issuedToken(context, await viewAccount(context, user), minted));
}

/** `refuse`: why the user gets no token; null = the user gets one. */
async function renewToken(
  context: AccessContext,
  actor: Actor,
  userId: string,
  now: Instant,
  refuse: (user: User) => Promise<Problem | null>,
): Promise<Result<{ user: User; minted: MintedToken }, Problem>> {
  const refusal = refuseAdministration(actor, []);
  if (refusal !== null) return err(refusal);
  let minted: MintedToken | null = null;
  const changed = await changeUser(context, actor, userId, now, async (user) => {
    const refused =
      refuseAdministration(actor, [user.role]) ?? (user.disabledAt === null ? await refuse(user) : disabled);
    if (refused !== null) return err(refused);
    const purpose = user.passwordHash === NO_PASSWORD ? "invitation" : "password-reset";
    minted = mintOneTimeToken(context.random, user, purpose, now);
    const act = purpose === "invitation" ? "user.invited" : "user.reset_requested";
    return ok({ user: { ...user, oneTimeToken: minted.stored }, act });
  });
  return changed.andThen((user) => (minted === null ? err(notFound("user", userId)) : ok({ user, minted })));
}

/** The operator's invitations have no limit. */
async function refuseAboveLimit(
  { limits }: AccessContext,
  { kind, businessId }: Actor,
  emailKey: string,
  now: Instant,
): Promise<Problem | null> {
  const refusal = kind === "system" ? null : await admitInvitation(limits, { businessId, emailKey }, now);
  if (refusal === null) return null;
  const { limit, remaining, resetAt: resetAtMs } = refusal;
  return { kind: "rate-limited", message: TOO_MANY_REQUESTS, limit, remaining, resetAtMs };
}

const disabled: Problem = brokenRule("USER_DISABLED", "The user is disabled; enable the user first.");

const hasJoined: Problem = {
  kind: "conflict",
  message: "The user has a password already and needs no invitation.",
  details: {},
};

function issuedToken(context: AccessContext, user: AccountView, { token, stored }: MintedToken): IssuedToken {
  return {
    user,
    token,
    link: passwordLink(context, token),
    expiresAt: toTimestamp(stored.expiresAt),
  };
}
