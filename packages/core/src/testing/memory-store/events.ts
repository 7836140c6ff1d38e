import type { StoredAuditEntry } from "../../events/audit.js";
import type { DomainEvent, StoredEvent } from "../../events/event.js";
import type { EventName, EventQuery, EventStore } from "../../events/event-store.js";
import type { OpenTables, Tables } from "./tables.js";
import { frozenCopy } from "./tenant-table.js";

/** Appends the events of a commit to the outbox, from where they are fanned out. */
export function appendEvents(tables: Tables, events: readonly DomainEvent[]): void {
  for (const event of events) {
    tables.lastSequence += 1;
    tables.events.push(frozenCopy({ ...event, sequence: tables.lastSequence }));
    tables.undispatched.add(tables.lastSequence);
  }
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

    appendAudit: async (entry) => {
      const tables = open();
      tables.lastSequence += 1;
      tables.auditEntries.push(frozenCopy({ ...entry, sequence: tables.lastSequence }));
    },
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
