import type { StoredAuditEntry, StoredEvent } from "./event.js";
import type { EventStore } from "./event-store.js";

export type LogEntry = StoredEvent | StoredAuditEntry;

/** Entries that may be committed between the two reads of a round. */
const SLACK = 100;

/** The next entries of the business after a sequence, the lowest first: none is left out that the log still has. */
export async function nextEntries(
  { listEvents }: Pick<EventStore, "listEvents">,
  businessId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly LogEntry[]> {
  const query = { type: null, subjectId: null, since: null, until: null };
  const newest = await newestEntry({ listEvents }, businessId);
  let offset = Math.max(0, (newest?.sequence ?? 0) - after - limit);
  for (;;) {
    const { entries } = await listEvents(businessId, { ...query, limit: limit + SLACK, offset });
    const found = entries.filter(({ sequence }) => sequence > after);
    const isWhole = found.length < entries.length || entries.length < limit + SLACK;
    if (isWhole && (found.length > 0 || offset === 0)) return found.reverse().slice(0, limit);
    offset = isWhole ? Math.max(0, offset - limit) : offset + limit;
  }
}

export async function newestEntry(
  { listEvents }: Pick<EventStore, "listEvents">,
  businessId: string,
): Promise<LogEntry | undefined> {
  const query = { type: null, subjectId: null, since: null, until: null, limit: 1, offset: 0 };
  return (await listEvents(businessId, query)).entries[0];
}
