import { err, ok, type Result } from "neverthrow";
import { matchCommitted } from "../commit/match-committed.js";
import { makeAuditEntry } from "../events/audit-entry.js";
import type { AuditEntry, AuditType, EventChange } from "../events/event.js";
import { auditedChange } from "../events/field-changes.js";
import type { Actor } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import { brokenRule, notFound, type Problem } from "../kernel/problem.js";
import { keepsChanging, retryOnConflict, STALE } from "../kernel/retry-on-conflict.js";
import { replaceUserCommit } from "./access-commits.js";
import type { AccessContext } from "./access-context.js";
import type { User } from "./user.js";
import { accountFieldsOf } from "./user-view.js";

/** A decided change of a user, with its audit entry. */
export interface UserDecision {
  readonly user: User; // its version is set when it is written
  readonly act: AuditType | null; // null = no entry, since anyone can cause the change
  readonly change?: Partial<EventChange>; // for the audit: names of fields, states; never a secret
  readonly endSessions?: { readonly except: string | null }; // null = all; absent = the sessions stay
}

/** Null = there is nothing to change. Several decisions follow on each other: each begins with the user of the one before. */
type Decided = UserDecision | readonly UserDecision[] | null;

type Decide = (user: User) => Result<Decided, Problem> | Promise<Result<Decided, Problem>>;

/**
 * Changes a user of the actor's business by compare-and-set: when another writer wins, it decides again on the new state.
 * Errors: not-found, those of `decide`, LAST_OWNER, conflict for an email in use and after repeated lost writes.
 */
export async function changeUser(
  context: AccessContext,
  actor: Actor,
  userId: string,
  now: Instant,
  decide: Decide,
): Promise<Result<User, Problem>> {
  return retryOnConflict(
    async () => {
      const current = await context.store.findUser(actor.businessId, userId);
      if (current === null) return err(notFound("user", userId));
      const decided = await decide(current);
      if (decided.isErr()) return err(decided.error);
      const steps = decided.value === null ? [] : [decided.value].flat();
      const last = steps.at(-1);
      if (last === undefined) return ok(current);
      const user = { ...last.user, version: current.version + 1 };
      const ending = steps.find(({ endSessions }) => endSessions !== undefined)?.endSessions;
      const end = ending === undefined ? null : { at: now, except: ending.except };
      const audit = await entriesOf(context, actor, now, current, steps);
      const committed = await context.commit({ ...replaceUserCommit(user, current.version, end), audit });
      return matchCommitted(committed, {
        written: ok(user),
        stale: STALE,
        "last-owner": err(lastOwner),
        email: err(emailTaken),
      });
    },
    () => keepsChanging("user", userId),
  );
}

/** One entry for each act, with the values that it changed. */
async function entriesOf(
  { ids }: AccessContext,
  actor: Actor,
  now: Instant,
  current: User,
  steps: readonly UserDecision[],
): Promise<readonly AuditEntry[]> {
  const entries: AuditEntry[] = [];
  let before = current;
  for (const { user, act: type, change = {} } of steps) {
    const { data } = auditedChange(accountFieldsOf(before), accountFieldsOf(user));
    if (type !== null) entries.push(await makeAuditEntry(ids, actor, { type, subjectId: user.id, now, change, data }));
    before = user;
  }
  return entries;
}

export const lastOwner: Problem = brokenRule(
  "LAST_OWNER",
  "A business keeps one OWNER who can log in. Make another user OWNER first.",
);

export const emailTaken: Problem = {
  kind: "conflict",
  message: "A user with this email exists already.",
  details: { field: "email" },
};
