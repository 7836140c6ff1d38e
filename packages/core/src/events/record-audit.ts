import { type Actor, actorLabel, originOf } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import type { IdSource } from "../kernel/ids.js";
import type { AuditType } from "./audit.js";
import type { EventStore } from "./event-store.js";

/** What recording an entry takes. */
export interface AuditContext {
  readonly store: Pick<EventStore, "appendAudit">;
  readonly ids: IdSource;
}

/** Commits an entry. What it tells of must not happen before this has resolved. */
export async function recordAudit(
  { store, ids }: AuditContext,
  actor: Actor,
  type: AuditType,
  subjectId: string,
  now: Instant,
): Promise<void> {
  await store.appendAudit({
    businessId: actor.businessId,
    id: await ids.next(),
    type,
    occurredAt: now,
    actor: actorLabel(actor),
    subjectId,
    data: {},
    change: { fields: [], from: null, to: null, reason: null },
    ...originOf(actor),
  });
}
