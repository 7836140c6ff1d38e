import { makeAuditEntry } from "../events/audit-entry.js";
import type { AuditType } from "../events/event.js";
import type { Actor } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import type { IdSource } from "../kernel/ids.js";
import { commitOf } from "./commit.js";
import { requireWritten } from "./match-committed.js";
import type { RunCommit } from "./run-commit.js";

export interface AuditContext {
  readonly commit: RunCommit<never>;
  readonly ids: IdSource;
}

/** Commits an audit entry. The audited act must wait until this resolves. */
export async function recordAudit(
  { commit, ids }: AuditContext,
  actor: Actor,
  type: AuditType,
  subjectId: string,
  now: Instant,
): Promise<void> {
  const entry = await makeAuditEntry(ids, actor, { type, subjectId, now });
  requireWritten(await commit(commitOf(actor.businessId, [], { audit: [entry] })));
}
