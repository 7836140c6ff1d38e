import {
  type AuditEntry,
  type Delivery,
  type DeliveryPlan,
  type DomainEvent,
  type EntryPlace,
  type EventName,
  type EventQuery,
  type EventStore,
  entryHash,
  entryText,
  namesOfSubscribers,
  plannedDeliveries,
  type StoredAuditEntry,
  type StoredEvent,
  type Subscriber,
  type SubscriberVersion,
  subjectKindOf,
} from "@budgetkit/core/store";
import { bytesOf, countUse } from "./storage-use.js";
import type { OpenTables, Tables } from "./tables.js";
import { frozenCopy } from "./tenant-table.js";
import { addAll } from "./webhook-dispatch.js";

/**
 * Appends the events of a commit, and makes the deliveries of its plan if the subscribers are those of the plan. Otherwise
 * the events wait for their fan-out. Returns what it made; null = there was no plan.
 */
export function appendEvents(
  tables: Tables,
  events: readonly DomainEvent[],
  plan: DeliveryPlan | null = null,
): { readonly made: readonly Delivery[] | null; readonly mayWait: boolean } {
  const made: Delivery[] = [];
  let mayWait = false;
  for (const event of events) {
    const stored = frozenCopy({ ...event, ...nextPlace(tables, event) });
    tables.events.push(stored);
    const subscribers = subscribersOf(tables, event.businessId);
    if (plan !== null && plan.subscribers === namesOfSubscribers(subscribers)) {
      const deliveries = plannedDeliveries(stored, plan);
      addAll(tables, deliveries);
      made.push(...deliveries);
    } else if (subscribers.length > 0) {
      tables.undispatched.add(stored);
      mayWait = true;
    }
    countUse(tables, event.businessId, { documentBytes: bytesOf(event) });
  }
  return { made: plan === null ? null : made, mayWait };
}

function subscribersOf({ endpoints, keys }: Tables, businessId: string): readonly SubscriberVersion[] {
  const ofKind = (kind: Subscriber["kind"], all: readonly { readonly id: string; readonly version: number }[]) =>
    all.map(({ id, version }) => ({ kind, id, version }));
  return [
    ...ofKind(
      "endpoint",
      endpoints.of(businessId).filter(({ status }) => status === "ACTIVE"),
    ),
    ...ofKind(
      "key",
      keys.of(businessId).filter(({ status, webhookUrl }) => status === "ACTIVE" && webhookUrl !== null),
    ),
  ];
}

/** Draws the place of an entry, and keeps its hash. */
function nextPlace({ lastEntries, lastRevisions, hashes }: Tables, entry: DomainEvent | AuditEntry): EntryPlace {
  const { businessId, type, subjectId } = entry;
  const last = lastEntries.get(businessId);
  const subject = JSON.stringify([subjectKindOf(type), subjectId]);
  const sequence = (last?.sequence ?? 0) + 1;
  const before = type === "budget.created" ? 0 : lastRevisions.find(businessId, subject); // nothing else creates a budget
  const revision = (before ?? 0) + 1;
  const hash = entryHash(entryText(entry), { previous: last?.hash ?? null, revision, sequence });
  lastEntries.set(businessId, { sequence, hash });
  lastRevisions.save(businessId, subject, revision);
  hashes.save(businessId, String(sequence), hash);
  return { sequence, revision };
}

/** Appends an audit entry, which waits for no fan-out; null = none. */
export function appendAuditEntry(tables: Tables, entry: AuditEntry | null): void {
  if (entry === null) return;
  tables.auditEntries.push(frozenCopy({ ...entry, ...nextPlace(tables, entry) }));
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

    readLedger: async (businessId, { after, limit }) => {
      const { events, auditEntries, hashes } = open();
      return [...events, ...auditEntries]
        .filter((entry) => entry.businessId === businessId && entry.sequence > after)
        .sort((a, b) => a.sequence - b.sequence)
        .slice(0, limit)
        .map((entry) => ({
          entry,
          hash: hashes.find(businessId, String(entry.sequence)),
          isFiledRight: true,
        }));
    },

    placesOfEvents: async (events) => {
      const places = new Map(open().events.map((event) => [nameOf(event), placeOf(event)]));
      return events.map((event) => places.get(nameOf(event)) ?? null);
    },
  };
}

function placeOf({ sequence, revision }: EntryPlace): EntryPlace {
  return { sequence, revision };
}

function nameOf({ businessId, subjectId, type, occurredAt, id }: EventName): string {
  return JSON.stringify([businessId, subjectId, type, occurredAt, id]);
}

function matches(event: StoredEvent | StoredAuditEntry, query: EventQuery): boolean {
  return (
    (query.type === null || event.type === query.type) &&
    (query.within === undefined || query.within.includes(event.type)) &&
    (query.subjectId === null || event.subjectId === query.subjectId) &&
    (query.since === null || event.occurredAt >= query.since) &&
    (query.until === null || event.occurredAt <= query.until)
  );
}
