import type { Instant } from "../kernel/clock.js";
import type { Page } from "../kernel/page.js";
import type { AuditEntry, AuditType, StoredAuditEntry } from "./audit.js";
import type { EventType, StoredEvent } from "./event.js";

/** What reading the outbox needs of a store. Events are appended by the commits of their domains. */
export interface EventStore {
  /**
   * The events and audit entries of a business, the highest sequence first; those of one commit are numbered as they
   * were handed in.
   */
  listEvents(businessId: string, query: EventQuery): Promise<Page<StoredEvent | StoredAuditEntry>>;
  /** Adds an entry that is never fanned out. It is forgotten at the age at which events are. */
  appendAudit(entry: AuditEntry): Promise<void>;
}

/** null means no such filter; bounds are inclusive. */
export interface EventQuery {
  readonly type: EventType | AuditType | null;
  readonly subjectId: string | null;
  readonly since: Instant | null;
  readonly until: Instant | null;
  readonly limit: number;
  readonly offset: number;
}
