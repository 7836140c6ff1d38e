import type { z } from "zod";
import type { Actor, Role } from "../kernel/actor.js";
import { asQueryText, type Call, type Query } from "../kernel/call.js";
import { pageQuerySchema } from "../kernel/fields.js";
import type { AccessContext } from "./access-context.js";
import { type InviteUser, inviteUser, inviteUserSchema, issueToken, resendInvitation } from "./account/invite-user.js";
import {
  changeEmail,
  changeEmailSchema,
  changePassword,
  changePasswordSchema,
  getOwnAccount,
} from "./account/own-account.js";
import { requestPasswordReset, requestResetSchema, setPassword, setPasswordSchema } from "./account/reset-by-token.js";
import {
  confirmTotp,
  confirmTotpSchema,
  disableTotp,
  disableTotpSchema,
  enrolTotp,
  enrolTotpSchema,
} from "./account/second-factor.js";
import {
  changeRole,
  disableUser,
  enableUser,
  endUserSessions,
  removeUser,
  resetSecondFactor,
  roleSchema,
  type UpdateUser,
  updateUser,
  updateUserSchema,
} from "./administer-users.js";
import type { Tier } from "./business.js";
import { type UpdateBusiness, updateBusinessSchema } from "./business-view.js";
import {
  type CreateApiKey,
  createKeySchema,
  regenerateKeySchema,
  rotateWebhookSecretSchema,
  type UpdateApiKey,
  updateKeySchema,
} from "./keys/key-input.js";
import { readWebhookSecret, rotateWebhookSecret } from "./keys/key-webhook-secret.js";
import { createKey, getKey, listKeys, regenerateKey, revokeKey, updateKey } from "./keys/manage-keys.js";
import { type Login, login, loginSchema } from "./login/login.js";
import { enter, enterSchema, issueLoginToken } from "./login/login-link.js";
import { endSessionOf, logout, type RefreshRace, refreshSchema, refreshSession } from "./login/session.js";
import {
  type CreateBusiness,
  createBusiness,
  createBusinessSchema,
  listBusinesses,
  listBusinessesSchema,
  setTier,
  tierSchema,
} from "./manage-businesses.js";
import {
  type CreateUser,
  createUser,
  createUserSchema,
  emailSchema,
  findUserByEmail,
  getUser,
  listUsers,
  resetPassword,
  resetPasswordSchema,
} from "./manage-users.js";
import { getBusiness, updateBusiness } from "./own-business.js";
import { measureBusiness } from "./storage-view.js";

/**
 * The host's operations for businesses, users, sessions and keys. They check permissions as the HTTP interface does;
 * the actor `{ kind: "system", businessId }` may do everything in its business.
 */
export function createAccessOperations(context: AccessContext, call: Call) {
  return {
    /** Operations on businesses, for the operator. */
    businesses: {
      create: (input: CreateBusiness) =>
        call.with(null, createBusinessSchema, input, (parsed) => createBusiness(context, parsed)),
      /** In order of id. `after` is the last id of the page before; omit it for the first page. */
      list: (input: z.input<typeof listBusinessesSchema> = {}) =>
        call.with(null, listBusinessesSchema, input, (parsed) => listBusinesses(context, parsed)),
      find: (id: string) => call.plain(null, () => context.store.findBusiness(id)),
      /** The budgets and bytes that the business stores, beside its quota; null = no such business. */
      storage: (id: string) => call.plain(null, () => measureBusiness(context, id)),
      /** The actor's own business. */
      get: (actor: Actor) => call.plain(actor, () => getBusiness(context, actor)),
      /** Changes the given fields of the actor's own business; null clears one. */
      update: (actor: Actor, input: UpdateBusiness, options: { expectedVersion?: number } = {}) =>
        call.with(actor, updateBusinessSchema, input, (parsed) =>
          updateBusiness(context, actor, parsed, options.expectedVersion),
        ),
      setTier: (id: string, tier: Tier) => call.with(null, tierSchema, tier, (parsed) => setTier(context, id, parsed)),
    },
    /** Operations on users. */
    users: { ...createUserOperations(context, call), ...createOwnAccountOperations(context, call) },
    /** Logins and logouts. */
    sessions: createSessionOperations(context, call),
    /** Operations on API keys. */
    keys: {
      create: (actor: Actor, input: CreateApiKey) =>
        call.with(actor, createKeySchema, input, (parsed) => createKey(context, actor, parsed)),
      list: (actor: Actor, query: Query<typeof pageQuerySchema> = {}) =>
        call.with(actor, pageQuerySchema, asQueryText(query), (parsed) => listKeys(context, actor, parsed)),
      get: (actor: Actor, id: string) => call.plain(actor, () => getKey(context, actor, id)),
      update: (actor: Actor, id: string, input: UpdateApiKey) =>
        call.with(actor, updateKeySchema, input, (parsed) => updateKey(context, actor, id, parsed)),
      revoke: (actor: Actor, id: string) => call.plain(actor, () => revokeKey(context, actor, id)),
      regenerate: (actor: Actor, id: string, input: z.input<typeof regenerateKeySchema> = {}) =>
        call.with(actor, regenerateKeySchema, input, (parsed) => regenerateKey(context, actor, id, parsed)),
      readWebhookSecret: (actor: Actor, id: string) => call.plain(actor, () => readWebhookSecret(context, actor, id)),
      rotateWebhookSecret: (actor: Actor, id: string, input: z.input<typeof rotateWebhookSecretSchema> = {}) =>
        call.with(actor, rotateWebhookSecretSchema, input, (parsed) => rotateWebhookSecret(context, actor, id, parsed)),
    },
  };
}

/** Logins, refreshes and their ends. */
function createSessionOperations(context: AccessContext, call: Call) {
  const now = () => context.clock.now();
  return {
    /** Failed logins count by account and network of `clientAddress`; clients without one (null) share one count. */
    login: (input: Login, clientAddress: string | null = null) =>
      call.with(null, loginSchema, input, (parsed) => login(context, parsed, clientAddress, now())),
    /** The audit entry of a reused token has `clientAddress`; null = unknown address. */
    refresh: (input: z.input<typeof refreshSchema>, clientAddress: string | null = null, race?: RefreshRace) =>
      call.with(null, refreshSchema, input, (parsed) => refreshSession(context, parsed, clientAddress, now(), race)),
    /** Ends the session of a refresh token, also of a used one, whether or not its access token has expired. */
    end: (input: z.input<typeof refreshSchema>, clientAddress: string | null = null) =>
      call.with(null, refreshSchema, input, (parsed) => endSessionOf(context, parsed, clientAddress, now())),
    /** Makes a token that logs the user in once, within 10 minutes and without a password or code: for the operator. */
    issueLoginToken: (actor: Actor, userId: string) => call.plain(actor, () => issueLoginToken(context, actor, userId)),
    /** Logs in by a token of `issueLoginToken`. */
    enter: (input: z.input<typeof enterSchema>, clientAddress: string | null = null) =>
      call.with(null, enterSchema, input, (parsed) => enter(context, parsed, clientAddress, now())),
    logout: (actor: Actor) => call.plain(actor, () => logout(context, actor, now())),
  };
}

/** Acts on users of the actor's business. An ADMIN may not change an OWNER; the last active OWNER stays one. */
function createUserOperations(context: AccessContext, call: Call) {
  return {
    create: (input: CreateUser) => call.with(null, createUserSchema, input, (parsed) => createUser(context, parsed)),
    /** Creates a user without a password, who sets one with the returned token. With a mailer the token is mailed too. */
    invite: (actor: Actor, input: InviteUser) =>
      call.with(actor, inviteUserSchema, input, (parsed) => inviteUser(context, actor, parsed)),
    /** Makes a new token for an invited user, which replaces the one before. With a mailer it is mailed too. */
    resendInvitation: (actor: Actor, id: string) => call.plain(actor, () => resendInvitation(context, actor, id)),
    list: (actor: Actor, query: Query<typeof pageQuerySchema> = {}) =>
      call.with(actor, pageQuerySchema, asQueryText(query), (parsed) => listUsers(context, actor, parsed)),
    get: (actor: Actor, id: string) => call.plain(actor, () => getUser(context, actor, id)),
    /** Changes the given fields, all of them or none. Who becomes disabled has no session left. */
    update: (actor: Actor, id: string, input: UpdateUser) =>
      call.with(actor, updateUserSchema, input, (parsed) => updateUser(context, actor, id, parsed)),
    /** Finds a user in any business: for the operator. */
    findByEmail: (email: string) => call.with(null, emailSchema, email, (parsed) => findUserByEmail(context, parsed)),
    changeRole: (actor: Actor, id: string, role: Role) =>
      call.with(actor, roleSchema, role, (parsed) => changeRole(context, actor, id, parsed)),
    /** The sessions of the user end at once. */
    disable: (actor: Actor, id: string) => call.plain(actor, () => disableUser(context, actor, id)),
    enable: (actor: Actor, id: string) => call.plain(actor, () => enableUser(context, actor, id)),
    /** The sessions of the user end at once. */
    remove: (actor: Actor, id: string) => call.plain(actor, () => removeUser(context, actor, id)),
    endSessions: (actor: Actor, id: string) => call.plain(actor, () => endUserSessions(context, actor, id)),
    /** Makes a one-time token that sets a password; the caller delivers it. */
    issueToken: (actor: Actor, id: string) => call.plain(actor, () => issueToken(context, actor, id)),
    resetSecondFactor: (actor: Actor, id: string) => call.plain(actor, () => resetSecondFactor(context, actor, id)),
    /** Sets a new password and ends the user's sessions: for the operator. */
    resetPassword: (input: z.input<typeof resetPasswordSchema>) =>
      call.with(null, resetPasswordSchema, input, (parsed) => resetPassword(context, parsed)),
    /** True when any user exists; the first start of the standalone server checks this. */
    exist: () => call.plain(null, () => context.store.hasUsers()),
  };
}

/** Acts of users on their own account. */
function createOwnAccountOperations(context: AccessContext, call: Call) {
  const ownCall = (clientAddress: string | null) => ({ clientAddress, now: context.clock.now() });
  return {
    /** Mails a token to the user with this email; the result is the same when there is none. */
    requestPasswordReset: (input: z.input<typeof requestResetSchema>, clientAddress: string | null = null) =>
      call.with(null, requestResetSchema, input, (parsed) => requestPasswordReset(context, parsed, clientAddress)),
    /** Sets a password with a one-time token. The audit entry has `clientAddress`; null = unknown address. */
    setPassword: (input: z.input<typeof setPasswordSchema>, clientAddress: string | null = null) =>
      call.with(null, setPasswordSchema, input, (parsed) => setPassword(context, parsed, clientAddress)),
    /** The actor's own account. Of an actor without a session, as with `resolveUser`, only id, business and role are known. */
    getOwn: (actor: Actor) => call.plain(actor, () => getOwnAccount(context, actor)),
    /** The actor's own password. The other sessions of the user end. */
    changePassword: (actor: Actor, input: z.input<typeof changePasswordSchema>, clientAddress: string | null = null) =>
      call.with(actor, changePasswordSchema, input, (parsed) =>
        changePassword(context, actor, parsed, ownCall(clientAddress)),
      ),
    /** The actor's own email. */
    changeEmail: (actor: Actor, input: z.input<typeof changeEmailSchema>, clientAddress: string | null = null) =>
      call.with(actor, changeEmailSchema, input, (parsed) =>
        changeEmail(context, actor, parsed, ownCall(clientAddress)),
      ),
    /** The actor's own second factor: `enrol` shows the secret, `confirm` turns it on, `disable` removes it. */
    totp: {
      enrol: (actor: Actor, input: z.input<typeof enrolTotpSchema>, clientAddress: string | null = null) =>
        call.with(actor, enrolTotpSchema, input, (parsed) => enrolTotp(context, actor, parsed, ownCall(clientAddress))),
      confirm: (actor: Actor, input: z.input<typeof confirmTotpSchema>, clientAddress: string | null = null) =>
        call.with(actor, confirmTotpSchema, input, (parsed) =>
          confirmTotp(context, actor, parsed, ownCall(clientAddress)),
        ),
      disable: (actor: Actor, input: z.input<typeof disableTotpSchema>, clientAddress: string | null = null) =>
        call.with(actor, disableTotpSchema, input, (parsed) =>
          disableTotp(context, actor, parsed, ownCall(clientAddress)),
        ),
    },
  };
}

export type AccessOperations = ReturnType<typeof createAccessOperations>;
