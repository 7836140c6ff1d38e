import type { Instant } from "../kernel/clock.js";
import type { Page } from "../kernel/page.js";
import type { AuditType, DomainEvent, EntryPlace, EventType, StoredAuditEntry, StoredEvent } from "./event.js";
import type { LedgerEntry } from "./ledger-entry.js";

/** The port of the outbox. The commits of each domain append its events. */
export interface EventStore {
  /**
   * The events and audit entries of a business, the highest sequence first. Each business has its own series: 1, 2, 3 …
   * in the order of commits. The commit that writes an event draws its sequence, so a rolled-back commit leaves no gap,
   * and no sequence is used again after its event was removed. Events of one commit are numbered in the order in which
   * the commit received them. The same holds for the revisions of each subject.
   */
  listEvents(businessId: string, query: EventQuery): Promise<Page<StoredEvent | StoredAuditEntry>>;
  /** The next entries of the business after a sequence, the lowest first, with their hashes. */
  readLedger(businessId: string, page: LedgerPage): Promise<readonly LedgerEntry[]>;
  /** The place of each event, in the order given; null = it is not stored. All members of the name must match. */
  placesOfEvents(events: readonly EventName[]): Promise<readonly (EntryPlace | null)[]>;
}

/** Identifies an event. The id alone does not: an id from a rolled-back transaction can be assigned again. */
export type EventName = Pick<DomainEvent, "businessId" | "subjectId" | "type" | "occurredAt" | "id">;

export interface LedgerPage {
  readonly after: number; // a sequence; 0 = from the first entry
  readonly limit: number;
}

/** Null = no such filter. Bounds are inclusive. */
export interface EventQuery {
  readonly type: EventType | AuditType | null;
  /** Only entries of these types, and of them those of `type`; absent = of every type. */
  readonly within?: readonly (EventType | AuditType)[];
  readonly subjectId: string | null;
  readonly since: Instant | null;
  readonly until: Instant | null;
  readonly limit: number;
  readonly offset: number;
}
