import type { z } from "zod";
import type { Actor } from "../kernel/actor.js";
import { asQueryText, type Call, type Query } from "../kernel/call.js";
import { pageQuerySchema } from "../kernel/fields.js";
import type { Tier } from "../limits/tiers.js";
import type { AccessContext } from "./access-context.js";
import { createKeySchema, regenerateKeySchema, rotateWebhookSecretSchema, updateKeySchema } from "./key-input.js";
import { readWebhookSecret, rotateWebhookSecret } from "./key-webhook-secret.js";
import { login, loginSchema } from "./login.js";
import { createKey, getKey, listKeys, regenerateKey, revokeKey, updateKey } from "./manage-keys.js";
import {
  createBusiness,
  createBusinessSchema,
  createUser,
  createUserSchema,
  listBusinesses,
  listBusinessesSchema,
  resetPassword,
  resetPasswordSchema,
  setTier,
  tierSchema,
} from "./manage-users.js";
import { logout, refreshSchema, refreshSession } from "./session.js";

/**
 * Businesses, users, sessions and keys as a host manages them without HTTP. Whoever may not do something is refused
 * here as well; `{ kind: "system", businessId }` may do everything in its business.
 */
export function createAccessOperations(context: AccessContext, call: Call) {
  const now = () => context.clock.now();
  return {
    businesses: {
      create: (input: z.input<typeof createBusinessSchema>) =>
        call.with(null, createBusinessSchema, input, (parsed) => createBusiness(context, parsed)),
      /** In the order of their ids; `after` is the id of the last one that is known, the first time none. */
      list: (input: z.input<typeof listBusinessesSchema> = {}) =>
        call.with(null, listBusinessesSchema, input, (parsed) => listBusinesses(context, parsed)),
      find: (id: string) => call.plain(null, () => context.store.findBusiness(id)),
      setTier: (id: string, tier: Tier) => call.with(null, tierSchema, tier, (parsed) => setTier(context, id, parsed)),
    },
    users: {
      create: (input: z.input<typeof createUserSchema>) =>
        call.with(null, createUserSchema, input, (parsed) => createUser(context, parsed)),
      /** A new password in the place of a lost one; it ends the user's sessions. */
      resetPassword: (input: z.input<typeof resetPasswordSchema>) =>
        call.with(null, resetPasswordSchema, input, (parsed) => resetPassword(context, parsed)),
      /** True when anybody can log in at all: the first start asks. */
      exist: () => call.plain(null, () => context.store.hasUsers()),
    },
    sessions: {
      /** `clientAddress` is what logins are throttled by, besides the account; null when it cannot be told. */
      login: (input: z.input<typeof loginSchema>, clientAddress: string | null = null) =>
        call.with(null, loginSchema, input, (parsed) => login(context, parsed, clientAddress, now())),
      refresh: (input: z.input<typeof refreshSchema>) =>
        call.with(null, refreshSchema, input, (parsed) => refreshSession(context, parsed, now())),
      logout: (actor: Actor) => call.plain(actor, () => logout(context, actor, now())),
    },
    keys: {
      create: (actor: Actor, input: z.input<typeof createKeySchema>) =>
        call.with(actor, createKeySchema, input, (parsed) => createKey(context, actor, parsed)),
      list: (actor: Actor, query: Query<typeof pageQuerySchema> = {}) =>
        call.with(actor, pageQuerySchema, asQueryText(query), (parsed) => listKeys(context, actor, parsed)),
      get: (actor: Actor, id: string) => call.plain(actor, () => getKey(context, actor, id)),
      update: (actor: Actor, id: string, input: z.input<typeof updateKeySchema>) =>
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
export type AccessOperations = ReturnType<typeof createAccessOperations>;
