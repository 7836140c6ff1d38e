import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import {
  type AuditType,
  EVENT_TYPES,
  type EventType,
  type StoredAuditEntry,
  type StoredEvent,
} from "../../events/event.js";
import { coversType, eventPatterns } from "../../events/event-pattern.js";
import { type Actor, refuseUnlessAdministrator } from "../../kernel/actor.js";
import { toTimestamp } from "../../kernel/clock.js";
import { timestampView } from "../../kernel/fields.js";
import type { Problem } from "../../kernel/problem.js";
import { refuseSelection } from "../filters/check-selection.js";
import { eventFilter, FILTER_CONDITIONS, type FilterCondition } from "../filters/filter-schema.js";
import { type Selection, selects, unmetConditions } from "../filters/selection.js";
import type { WebhookContext } from "../webhook-context.js";
import { findEndpoint } from "./manage-endpoints.js";

const MAX_TESTED = 100;
const DEFAULT_TESTED = 20;
/** Audit entries are among the events in the log: a read takes one page at a time, up to this many. */
const MAX_PAGES = 10;

export const testFilterSchema = z.object({
  /** The endpoint whose saved `events` and `filter` are used where they are left out here. */
  webhookId: z.string().optional(),
  /** As in an endpoint. Null, and none without `webhookId`, is every event. */
  events: eventPatterns.nullish().describe("As in an endpoint. Null, and none without `webhookId`, is every event."),
  /** As in an endpoint; null = none. */
  filter: eventFilter.nullish(),
  /** How many of the last events are tested. */
  limit: z.int().min(1).max(MAX_TESTED).default(DEFAULT_TESTED),
});
export type TestFilterInput = z.output<typeof testFilterSchema>;

const reasonSchema = z.object({
  /** What the event does not meet: `events`, or a condition of the filter. */
  condition: z.enum(["events", ...FILTER_CONDITIONS]),
  /** For people to read. */
  message: z.string(),
});

const testedEventSchema = z
  .object({
    /** Id of the event. */
    id: z.string(),
    /** Its number among the events of the business. */
    sequence: z.int(),
    /** Name of the event. */
    event: z.enum(EVENT_TYPES),
    /** When the event occurred. ISO 8601, in UTC. */
    timestamp: timestampView,
    /** The budget, customer or product. */
    subjectId: z.string(),
    /** True when the endpoint would receive it. */
    matches: z.boolean(),
    /** Why not; empty when it matches. */
    reasons: z.array(reasonSchema).describe("Why not; empty when it matches."),
  })
  .meta({ id: "TestedEvent" });

export const filterTestViewSchema = z
  .object({
    /** How many events were tested. */
    tested: z.int(),
    /** How many of them match. */
    matched: z.int(),
    /** The last events, the newest first. */
    events: z.array(testedEventSchema),
  })
  .meta({ id: "FilterTest" });
export type FilterTestView = z.infer<typeof filterTestViewSchema>;
type TestedEvent = z.infer<typeof testedEventSchema>;

/**
 * Shows which of the last events an endpoint with this selection would have received, and why not the others. Sends and
 * stores nothing. Errors: forbidden, not-found; FILTER_NEVER_MATCHES.
 */
export async function testFilter(
  context: WebhookContext,
  actor: Actor,
  input: TestFilterInput,
): Promise<Result<FilterTestView, Problem>> {
  const forbidden = refuseUnlessAdministrator(actor);
  if (forbidden !== null) return err(forbidden);
  const selection = await selectionOf(context, actor, input);
  if (selection.isErr()) return err(selection.error);
  const refusal = refuseSelection(selection.value);
  if (refusal !== null) return err(refusal);
  const last = await lastEvents(context, actor.businessId, input.limit);
  const events = last.map((event) => tested(event, selection.value));
  return ok({ tested: events.length, matched: events.filter(({ matches }) => matches).length, events });
}

async function selectionOf(
  context: WebhookContext,
  actor: Actor,
  { webhookId, events, filter }: TestFilterInput,
): Promise<Result<Selection, Problem>> {
  const saved: Result<Selection, Problem> =
    webhookId === undefined ? ok({ events: null }) : await findEndpoint(context, actor, webhookId);
  return saved.map((selection) => {
    const conditions = filter === undefined ? selection.filter : filter;
    return {
      events: events === undefined ? selection.events : events,
      ...(conditions ? { filter: conditions } : {}),
    };
  });
}

async function lastEvents(
  { store }: WebhookContext,
  businessId: string,
  wanted: number,
): Promise<readonly StoredEvent[]> {
  const found = new Map<number, StoredEvent>(); // events that are committed meanwhile shift the pages
  const query = { type: null, subjectId: null, since: null, until: null, limit: MAX_TESTED };
  for (let page = 0; page < MAX_PAGES && found.size < wanted; page += 1) {
    const { entries } = await store.listEvents(businessId, { ...query, offset: page * MAX_TESTED });
    for (const entry of entries) if (isEvent(entry)) found.set(entry.sequence, entry);
    if (entries.length < MAX_TESTED) break;
  }
  return [...found.values()].slice(0, wanted);
}

const TYPES: ReadonlySet<EventType | AuditType> = new Set(EVENT_TYPES);

function isEvent(entry: StoredEvent | StoredAuditEntry): entry is StoredEvent {
  return TYPES.has(entry.type);
}

function tested(event: StoredEvent, selection: Selection): TestedEvent {
  return {
    id: event.id,
    sequence: event.sequence,
    event: event.type,
    timestamp: toTimestamp(event.occurredAt),
    subjectId: event.subjectId,
    matches: selects(selection, event),
    reasons: reasonsAgainst(selection, event),
  };
}

function reasonsAgainst({ events, filter }: Selection, { type, data }: StoredEvent): TestedEvent["reasons"] {
  const reasons = filter === undefined ? [] : unmetConditions(filter, data).map((each) => reasonFor(each, data));
  if (coversType(events, type)) return reasons;
  return [{ condition: "events", message: `${type} is not among the events.` }, ...reasons];
}

function reasonFor(condition: FilterCondition, data: StoredEvent["data"]): TestedEvent["reasons"][number] {
  const field = condition === "minimumTotal" ? "total" : condition;
  const value = data[field];
  if (value === undefined) return { condition, message: `The data has no ${field}.` };
  const unit = field === "total" ? ` ${data.currency}` : "";
  return { condition, message: `The ${field} is ${value}${unit}.` };
}
