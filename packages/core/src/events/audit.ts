import type { DomainEvent } from "./event.js";

/** What is written down for an audit alone. Nobody is sent it and no handler hears of it. */
export const AUDIT_TYPES = ["api_key.secret_read", "webhook.secret_read", "user.password_reset"] as const;
export type AuditType = (typeof AUDIT_TYPES)[number];

/** Somebody did something with a credential that is worth knowing of. It stands among the events of the business. */
export interface AuditEntry extends Omit<DomainEvent, "type"> {
  readonly type: AuditType;
}

/** An entry as the outbox holds it. */
export interface StoredAuditEntry extends AuditEntry {
  readonly sequence: number; // from the same row of numbers as those of events
}
