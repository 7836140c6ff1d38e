import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { matchCommitted } from "../commit/match-committed.js";
import { makeAuditEntry } from "../events/audit-entry.js";
import { auditedChange } from "../events/field-changes.js";
import { type Actor, ROLES, type Role, refuseUnlessAdministrator } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import { brokenRule, notFound, type Problem } from "../kernel/problem.js";
import { keepsChanging, retryOnConflict, STALE } from "../kernel/retry-on-conflict.js";
import { removeUserCommit } from "./access-commits.js";
import type { AccessContext } from "./access-context.js";
import { changeUser, lastOwner, type UserDecision } from "./change-user.js";
import { displayName } from "./manage-users.js";
import { isActiveOwner, type User } from "./user.js";
import { type AccountView, accountFieldsOf, accountViewOf, statusOf } from "./user-view.js";
import { viewAccount } from "./view-accounts.js";

export const roleSchema = z.enum(ROLES);

/** Fields that are left out keep their values. */
export const updateUserSchema = z
  .object({
    /** Name for people to read. */
    displayName: displayName.optional(),
    /** What the user may do in the business. */
    role: roleSchema.optional(),
    /** True refuses the user's logins, and their sessions end at once. */
    disabled: z.boolean().optional().describe("True refuses the user's logins, and their sessions end at once."),
  })
  .meta({ id: "UpdateUser" });
/** Changes of a user. Fields that are left out keep their values. */
export interface UpdateUser extends z.input<typeof updateUserSchema> {}
export type UpdateUserInput = z.output<typeof updateUserSchema>;

/** Null = the user has these values already. */
type Step = (user: User) => UserDecision | null;

/**
 * Changes the given fields of a user, all of them or none, with an audit entry for each.
 * Errors: forbidden, not-found, LAST_OWNER, OWN_ACCOUNT, conflict.
 */
export function updateUser(
  context: AccessContext,
  actor: Actor,
  userId: string,
  input: UpdateUserInput,
  now: Instant = context.clock.now(),
) {
  const steps: Step[] = [];
  const { displayName: name, role, disabled } = input;
  if (name !== undefined) steps.push((user) => withName(user, name));
  if (role !== undefined) steps.push((user) => withRole(user, role));
  if (disabled !== undefined) steps.push((user) => (disabled ? disabledAt(user, now) : enabled(user)));
  const act = { roles: role === undefined ? [] : [role], locksOut: disabled === true, now };
  return administerUser(context, actor, userId, act, steps);
}

/** Errors: forbidden, not-found, LAST_OWNER, conflict. */
export function changeRole(context: AccessContext, actor: Actor, userId: string, role: Role) {
  return updateUser(context, actor, userId, { role });
}

/**
 * Refuses the user's logins from now on; their sessions end at once. Errors: forbidden, not-found, LAST_OWNER,
 * OWN_ACCOUNT, conflict.
 */
export function disableUser(context: AccessContext, actor: Actor, userId: string, now: Instant = context.clock.now()) {
  return updateUser(context, actor, userId, { disabled: true }, now);
}

/** Lets a disabled user log in again. Errors: forbidden, not-found, conflict. */
export function enableUser(context: AccessContext, actor: Actor, userId: string) {
  return updateUser(context, actor, userId, { disabled: false });
}

function withName(user: User, name: string): UserDecision | null {
  if (user.displayName === name) return null;
  return { user: { ...user, displayName: name }, act: "user.updated", change: { fields: ["displayName"] } };
}

/** A user who becomes OWNER loses an unused token: an ADMIN may hold it, who may not act for an OWNER. */
function withRole(user: User, role: Role): UserDecision | null {
  if (user.role === role) return null;
  const oneTimeToken = role === "OWNER" ? null : user.oneTimeToken;
  const change = { fields: ["role"], from: user.role, to: role };
  return { user: { ...user, role, oneTimeToken }, act: "user.role_changed", change };
}

function disabledAt(user: User, now: Instant): UserDecision | null {
  if (user.disabledAt !== null) return null;
  const change = { from: statusOf(user), to: "DISABLED" };
  const next = { ...user, disabledAt: now, oneTimeToken: null };
  return { user: next, act: "user.disabled", change, endSessions: { except: null } };
}

function enabled(user: User): UserDecision | null {
  if (user.disabledAt === null) return null;
  const next = { ...user, disabledAt: null };
  return { user: next, act: "user.enabled", change: { from: "DISABLED", to: statusOf(next) } };
}

/**
 * Ends all sessions of a user, who may log in again, and a link of the operator that would open another one. Errors:
 * forbidden, not-found, conflict.
 */
export function endUserSessions(
  context: AccessContext,
  actor: Actor,
  userId: string,
  now: Instant = context.clock.now(),
) {
  return administerUser(context, actor, userId, { now }, [
    (user) => ({ user: withoutLoginToken(user), act: "user.sessions_ended", endSessions: { except: null } }),
  ]);
}

function withoutLoginToken(user: User): User {
  return user.oneTimeToken?.purpose === "login" ? { ...user, oneTimeToken: null } : user;
}

/**
 * Removes the second factor of a user who lost it; their sessions end. An ADMIN may do it for a MEMBER, an OWNER for every
 * other user: the own one is removed with a code. Errors: forbidden, not-found, OWN_ACCOUNT, conflict.
 */
export function resetSecondFactor(
  context: AccessContext,
  actor: Actor,
  userId: string,
  now: Instant = context.clock.now(),
) {
  const refuse = (user: User) => refuseFactorReset(actor, user);
  return administerUser(context, actor, userId, { now, refuse }, [
    (user) =>
      user.secondFactor === null
        ? null
        : {
            user: { ...user, secondFactor: null },
            act: "user.second_factor_disabled",
            change: { fields: ["secondFactor"] },
            endSessions: { except: null },
          },
  ]);
}

/**
 * Deletes a user and ends their sessions; the email is free again. Errors: forbidden, not-found, LAST_OWNER, OWN_ACCOUNT,
 * conflict.
 */
export async function removeUser(
  context: AccessContext,
  actor: Actor,
  userId: string,
  now: Instant = context.clock.now(),
): Promise<Result<AccountView, Problem>> {
  return retryOnConflict(
    async () => {
      const user = await context.store.findUser(actor.businessId, userId);
      const refusal = refuseAdministration(actor, user === null ? [] : [user.role]);
      if (refusal !== null) return err(refusal);
      if (user === null) return err(notFound("user", userId));
      const refused = await refuseOwnLockout(context, actor, user);
      if (refused !== null) return err(refused);
      const act = { type: "user.removed", subjectId: userId, now } as const;
      const change = { from: statusOf(user) };
      const { data } = auditedChange(accountFieldsOf(user), null);
      const audit = await makeAuditEntry(context.ids, actor, { ...act, change, data });
      const committed = await context.commit(removeUserCommit(userId, user.version, audit));
      return matchCommitted(committed, {
        written: ok(accountViewOf(user, 0)), // the sessions end with it
        stale: STALE,
        "last-owner": err(lastOwner),
      });
    },
    () => keepsChanging("user", userId),
  );
}

/** One act of an administrator on a user. */
interface AdministrativeAct {
  readonly now: Instant;
  readonly roles?: readonly Role[]; // that the act gives; absent = none
  readonly locksOut?: boolean; // the user cannot log in after it
  readonly refuse?: (user: User) => Problem | null; // by a rule of the act alone; absent = it has none
}

/** Changes a user on behalf of an administrator, by one step after the other. */
async function administerUser(
  context: AccessContext,
  actor: Actor,
  userId: string,
  { now, roles = [], locksOut = false, refuse = () => null }: AdministrativeAct,
  steps: readonly Step[],
): Promise<Result<AccountView, Problem>> {
  const refusal = refuseAdministration(actor, roles);
  if (refusal !== null) return err(refusal);
  const changed = await changeUser(context, actor, userId, now, async (user) => {
    const refused =
      refuseAdministration(actor, [user.role]) ??
      refuse(user) ??
      (locksOut ? await refuseOwnLockout(context, actor, user) : null);
    if (refused !== null) return err(refused);
    const decisions: UserDecision[] = [];
    for (const step of steps) {
      const decided = step(decisions.at(-1)?.user ?? user);
      if (decided !== null) decisions.push(decided);
    }
    return ok(decisions);
  });
  return changed.isErr() ? err(changed.error) : ok(await viewAccount(context, changed.value));
}

/** An ADMIN may not change an OWNER and may not make one. Null = allowed. */
export function refuseAdministration(actor: Actor, roles: readonly Role[]): Problem | null {
  if (actor.kind === "user" && actor.role !== "OWNER" && roles.includes("OWNER")) {
    return takesOwner;
  }
  return refuseUnlessAdministrator(actor);
}

/** Users do not disable or remove themselves. The last OWNER learns first that another OWNER is needed. Null = allowed. */
async function refuseOwnLockout(context: AccessContext, actor: Actor, user: User): Promise<Problem | null> {
  if (actor.kind !== "user" || actor.id !== user.id) return null;
  return (await isLastOwner(context, user)) ? lastOwner : ownAccount;
}

const ownAccount: Problem = brokenRule(
  "OWN_ACCOUNT",
  "Users do not disable or remove themselves. Another OWNER or ADMIN can do it.",
);

function refuseFactorReset(actor: Actor, { id, role }: User): Problem | null {
  if (actor.kind !== "user") return null;
  if (actor.id === id) return ownFactor;
  return actor.role === "OWNER" || role === "MEMBER" ? null : takesOwner;
}

const ownFactor: Problem = brokenRule(
  "OWN_ACCOUNT",
  "Users remove their own second factor with a code. Another OWNER can remove it without one.",
);

const takesOwner: Problem = { kind: "forbidden", message: "This takes the role OWNER." };

const PAGE = 100;

async function isLastOwner({ store }: AccessContext, user: User): Promise<boolean> {
  if (!isActiveOwner(user)) return false;
  for (let offset = 0; ; offset += PAGE) {
    const { entries } = await store.listUsers(user.businessId, PAGE, offset);
    if (entries.some((other) => other.id !== user.id && isActiveOwner(other))) return false;
    if (entries.length < PAGE) return true;
  }
}
