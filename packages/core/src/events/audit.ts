import { type Actor, actorLabel } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import type { IdSource } from "../kernel/ids.js";
import type { DomainEvent } from "./event.js";
import type { EventStore } from "./event-store.js";

/** What is written down for an audit alone. Nobody is sent it and no handler hears of it. */
export const AUDIT_TYPES = ["api_key.secret_read", "webhook.secret_read"] as const;
export type AuditType = (typeof AUDIT_TYPES)[number];

/** Somebody did something that changes nothing and is worth knowing of. It stands among the events of the business. */
export interface AuditEntry extends Omit<DomainEvent, "type"> {
  readonly type: AuditType;
}

/** An entry as the outbox holds it. */
export interface StoredAuditEntry extends AuditEntry {
  readonly sequence: number; // from the same row of numbers as those of events
}

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
  });
}
