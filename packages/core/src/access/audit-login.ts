import { commitOf } from "../commit/commit.js";
import { requireWritten } from "../commit/match-committed.js";
import { makeAuditEntry } from "../events/audit-entry.js";
import type { AuditEntry, AuditType } from "../events/event.js";
import type { Actor } from "../kernel/actor.js";
import { HOUR_MS, type Instant, MINUTE_MS } from "../kernel/clock.js";
import type { IdSource } from "../kernel/ids.js";
import { sha256Hex } from "../kernel/secret-box.js";
import type { LoginAttempt } from "../limits/login-throttle.js";
import type { Window } from "../limits/rate-limit-store.js";
import { type AccessContext, inBackground } from "./access-context.js";
import type { User } from "./user.js";

/** Entries of an account, so that guessing does not fill the store. Unknown accounts leave none. */
const ENTRIES = {
  "user.login_failed": { lengthMs: HOUR_MS, limit: 20 },
  "user.login_refused": { lengthMs: 15 * MINUTE_MS, limit: 1 },
} as const satisfies Partial<Record<AuditType, Window>>;

/**
 * Leaves an audit entry of a login that failed or was refused by a limit, at most 20 an hour and one in 15 minutes for an
 * account. The response does not wait for it: its time would reveal whether the account exists.
 */
export function auditFailedLogin(context: AccessContext, type: keyof typeof ENTRIES, attempt: LoginAttempt): void {
  inBackground(context, () => appendEntry(context, type, attempt));
}

async function appendEntry(
  { limits, store, commit, ids }: AccessContext,
  type: keyof typeof ENTRIES,
  attempt: LoginAttempt,
): Promise<void> {
  const { emailKey, now } = attempt;
  const user = await store.findUserByEmail(emailKey);
  if (user === null) return;
  const { refusal } = await limits.consume(`login:audit:${type}:${sha256Hex(emailKey)}`, [ENTRIES[type]], now);
  if (refusal !== null) return;
  const entry = await loginEntryOf(ids, type, user, attempt);
  requireWritten(await commit(commitOf(user.businessId, [], { audit: [entry] })));
}

/** The client has not proved who it is, so the actor is `anonymous`. */
export async function loginEntryOf(
  ids: IdSource,
  type: AuditType,
  user: User,
  { clientAddress, now }: { readonly clientAddress: string | null; readonly now: Instant },
): Promise<AuditEntry> {
  return {
    businessId: user.businessId,
    id: await ids.next(user.businessId),
    type,
    occurredAt: now,
    actor: "anonymous",
    subjectId: user.id,
    data: clientAddress === null ? {} : { address: clientAddress },
    change: { fields: [], from: null, to: null, reason: null },
  };
}

/** An entry of a user whose password was checked. */
export function accountEntryOf(
  ids: IdSource,
  type: "user.logged_in" | "user.recovery_code_used",
  { businessId, id, role }: User,
  { clientAddress, now }: { readonly clientAddress: string | null; readonly now: Instant },
): Promise<AuditEntry> {
  const address = clientAddress === null ? {} : { address: clientAddress };
  const actor: Actor = { kind: "user", businessId, id, role, sessionId: null, ...address };
  return makeAuditEntry(ids, actor, { type, subjectId: id, now });
}
