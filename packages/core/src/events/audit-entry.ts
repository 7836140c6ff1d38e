import { type Actor, actorLabel, actorOrigin } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import type { IdSource } from "../kernel/ids.js";
import type { AuditEntry, AuditType, EventChange } from "./event.js";

interface AuditedAct {
  readonly type: AuditType;
  readonly subjectId: string;
  readonly now: Instant;
  readonly change?: Partial<EventChange>; // default: no fields and no states
  readonly data?: Readonly<Record<string, unknown>>; // values beside the address of the actor; never a secret
}

/** An audit entry for a port method that commits it together with the act. */
export async function makeAuditEntry(
  ids: IdSource,
  actor: Actor,
  { type, subjectId, now, change = {}, data = {} }: AuditedAct,
): Promise<AuditEntry> {
  return {
    businessId: actor.businessId,
    id: await ids.next(actor.businessId),
    type,
    occurredAt: now,
    actor: actorLabel(actor),
    subjectId,
    data: { ...(actor.address === undefined ? {} : { address: actor.address }), ...data },
    change: { fields: [], from: null, to: null, reason: null, ...change },
    ...actorOrigin(actor),
  };
}
