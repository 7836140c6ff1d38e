import type { StoredAuditEntry, StoredEvent } from "./event.js";
import type { EventStore } from "./event-store.js";

export type LogEntry = StoredEvent | StoredAuditEntry;

/** The next entries of the business after a sequence, the lowest first. */
export async function nextEntries(
  store: Pick<EventStore, "readLedger">,
  businessId: string,
  page: { readonly after: number; readonly limit: number },
): Promise<readonly LogEntry[]> {
  return (await store.readLedger(businessId, page)).map(({ entry }) => entry);
}

export async function newestEntry(
  { listEvents }: Pick<EventStore, "listEvents">,
  businessId: string,
): Promise<LogEntry | undefined> {
  const query = { type: null, subjectId: null, since: null, until: null, limit: 1, offset: 0 };
  return (await listEvents(businessId, query)).entries[0];
}
