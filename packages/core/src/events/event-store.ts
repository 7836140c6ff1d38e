import type { Instant } from "../kernel/clock.js";
import type { Page } from "../kernel/page.js";
import type { AuditEntry, AuditType, StoredAuditEntry } from "./audit.js";
import type { DomainEvent, EventType, StoredEvent } from "./event.js";

/** What reading the outbox needs of a store. Events are appended by the commits of their domains. */
export interface EventStore {
  /**
   * The events and audit entries of a business, the highest sequence first; those of one commit are numbered as they
   * were handed in.
   */
  listEvents(businessId: string, query: EventQuery): Promise<Page<StoredEvent | StoredAuditEntry>>;
  /** Whether each of these events is there, in their order. One that differs in any of what is given is another one. */
  hasEvents(events: readonly EventName[]): Promise<readonly boolean[]>;
  /** Adds an entry that is never fanned out. It is forgotten at the age at which events are. */
  appendAudit(entry: AuditEntry): Promise<void>;
}

/** What tells an event from all others. Its id alone does not: one that was drawn and rolled back may be drawn again. */
export type EventName = Pick<DomainEvent, "businessId" | "subjectId" | "type" | "occurredAt" | "id">;

/** null means no such filter; bounds are inclusive. */
export interface EventQuery {
  readonly type: EventType | AuditType | null;
  readonly subjectId: string | null;
  readonly since: Instant | null;
  readonly until: Instant | null;
  readonly limit: number;
  readonly offset: number;
}
