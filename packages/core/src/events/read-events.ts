import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Actor } from "../kernel/actor.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import { EVENT_TYPES, type StoredEvent } from "./event.js";
import { coversType, eventPatterns } from "./event-pattern.js";
import type { EventStore } from "./event-store.js";
import { type LogEntry, nextEntries } from "./next-entries.js";
import { mayReadType, refuseUnlessEventReader } from "./readable-events.js";

const MAX_ENTRIES = 1_000;
const DEFAULT_ENTRIES = 100;

export const readEventsSchema = z.object({
  /** A cursor: 0 begins at the first event. */
  after: z.int().min(0).default(0),
  /** The largest number of log entries that are looked at. */
  limit: z.int().min(1).max(MAX_ENTRIES).default(DEFAULT_ENTRIES),
  /** Names and patterns; null = every event. */
  events: eventPatterns.nullish(),
});
export type ReadEvents = z.input<typeof readEventsSchema>;
type ReadEventsInput = z.output<typeof readEventsSchema>;

/** Where the log of a business begins and ends. */
export interface LogBounds {
  findLedgerBounds(businessId: string): Promise<{
    readonly start: { readonly sequence: number } | null; // the last entry that retention removed; null = none
    readonly head: { readonly sequence: number }; // the last entry, removed or not; 0 = none
  }>;
}

/** Events in the order of their commits. */
export interface EventBatch<Event = StoredEvent> {
  /** In the order of their commits. */
  readonly events: readonly Event[];
  /** Continues behind these events, and behind the entries that were left out. */
  readonly cursor: number;
  /** True when further entries may exist now. */
  readonly hasMore: boolean;
}

/**
 * The events after a cursor. Audit entries, and events about records that the actor may not read, are left out. A cursor
 * is a sequence, and sequences have no gaps: entries that are missing were removed by retention.
 * Errors: forbidden for an API key or a customer; CURSOR_TOO_OLD, CURSOR_AHEAD.
 */
export async function readEvents(
  { store }: { readonly store: Pick<EventStore, "readLedger"> & LogBounds },
  actor: Actor,
  { after, limit, events }: ReadEventsInput,
): Promise<Result<EventBatch, Problem>> {
  const refusal = refuseUnlessEventReader(actor);
  if (refusal !== null) return err(refusal);
  const { businessId } = actor;
  const entries = await nextEntries(store, businessId, { after, limit });
  const next = entries[0];
  if (next === undefined) {
    const { start, head } = await store.findLedgerBounds(businessId);
    if (start !== null && start.sequence > after) return err(cursorTooOld(after, start.sequence));
    if (head.sequence < after) return err(cursorAhead(after, head.sequence));
    return ok({ events: [], cursor: after, hasMore: false });
  }
  if (next.sequence !== after + 1) return err(cursorTooOld(after, next.sequence - 1));
  const gapless = entries.filter(({ sequence }, index) => sequence === after + 1 + index);
  return ok({
    events: gapless.filter(isEvent).filter(({ type }) => coversType(events ?? null, type) && mayReadType(actor, type)),
    cursor: after + gapless.length,
    hasMore: entries.length === limit || gapless.length < entries.length,
  });
}

const TYPES: ReadonlySet<string> = new Set(EVENT_TYPES);

function isEvent(entry: LogEntry): entry is StoredEvent {
  return TYPES.has(entry.type);
}

function cursorTooOld(after: number, resumeAfter: number): Problem {
  const message = `The events ${after + 1} to ${resumeAfter} were removed by retention. The log continues after ${resumeAfter}.`;
  return brokenRule("CURSOR_TOO_OLD", message, { after, resumeAfter });
}

function cursorAhead(after: number, newest: number): Problem {
  const message = `The log ends at ${newest}, before the cursor: it belongs to another business or database.`;
  return brokenRule("CURSOR_AHEAD", message, { after, newest });
}
