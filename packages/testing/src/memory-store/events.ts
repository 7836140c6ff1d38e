import type {
  AuditEntry,
  DomainEvent,
  EventName,
  EventQuery,
  EventStore,
  StoredAuditEntry,
  StoredEvent,
} from "@budgetkit/core/store";
import { bytesOf, countUse } from "./storage-use.js";
import type { OpenTables, Tables } from "./tables.js";
import { frozenCopy } from "./tenant-table.js";

/** Appends the events of a commit, which wait for their fan-out. */
export function appendEvents(tables: Tables, events: readonly DomainEvent[]): void {
  for (const event of events) {
    const stored = frozenCopy({ ...event, sequence: nextSequence(tables, event.businessId) });
    tables.events.push(stored);
    if (hasSubscribers(tables, event.businessId)) tables.undispatched.add(stored);
    countUse(tables, event.businessId, { documentBytes: bytesOf(event) });
  }
}

function hasSubscribers({ endpoints, keys }: Tables, businessId: string): boolean {
  return (
    endpoints.of(businessId).some(({ status }) => status === "ACTIVE") ||
    keys.of(businessId).some(({ status, webhookUrl }) => status === "ACTIVE" && webhookUrl !== null)
  );
}

function nextSequence({ lastSequences }: Tables, businessId: string): number {
  const sequence = (lastSequences.get(businessId) ?? 0) + 1;
  lastSequences.set(businessId, sequence);
  return sequence;
}

/** Appends an audit entry, which waits for no fan-out; null = none. */
export function appendAuditEntry(tables: Tables, entry: AuditEntry | null): void {
  if (entry === null) return;
  tables.auditEntries.push(frozenCopy({ ...entry, sequence: nextSequence(tables, entry.businessId) }));
  countUse(tables, entry.businessId, { documentBytes: bytesOf(entry) });
}

export function memoryEvents(open: OpenTables): EventStore {
  return {
    listEvents: async (businessId, query) => {
      const { events, auditEntries } = open();
      const found = [...events, ...auditEntries]
        .filter((event) => event.businessId === businessId && matches(event, query))
        .sort((a, b) => b.sequence - a.sequence);
      const entries = found.slice(query.offset, query.offset + query.limit);
      return { entries, total: found.length, nextCursor: null };
    },

    hasEvents: async (events) => {
      const there = new Set(open().events.map(nameOf));
      return events.map((event) => there.has(nameOf(event)));
    },

    appendAudit: async (entry) => appendAuditEntry(open(), entry),
  };
}

function nameOf({ businessId, subjectId, type, occurredAt, id }: EventName): string {
  return JSON.stringify([businessId, subjectId, type, occurredAt, id]);
}

function matches(event: StoredEvent | StoredAuditEntry, query: EventQuery): boolean {
  return (
    (query.type === null || event.type === query.type) &&
    (query.subjectId === null || event.subjectId === query.subjectId) &&
    (query.since === null || event.occurredAt >= query.since) &&
    (query.until === null || event.occurredAt <= query.until)
  );
}
