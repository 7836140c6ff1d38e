import type { StoredEvent } from "../../events/event.js";
import { at } from "../../kernel/arrays.js";
import { payloadWriter } from "../../signing/payload.js";
import { subscribersOf } from "../deliveries/subscription.js";
import type { Delivery, DeliveryOrder } from "../delivery.js";
import type { WebhookContext } from "../webhook-context.js";
import type { Subscribers } from "../webhook-store.js";
import type { Addition, Reservation } from "./delivery-pool.js";
import { newDelivery } from "./new-delivery.js";

export interface FanOut {
  readonly written: number; // events fanned out by this call
  readonly mayBeMore: boolean; // the call reached its limit
}

/** Bounds of one call. */
export interface FanOutLimits {
  readonly events: number;
  /** Checked before each chunk; false ends the call. */
  isActive(): boolean;
  /** Takes slots for the deliveries of an event, so that they are sent right after the commit. Default: none. */
  reserve?(deliveries: readonly Delivery[]): Reservation;
  /** Called after each chunk with deliveries that wait to be claimed. */
  onWaiting?(): void;
}

function unreserved(deliveries: readonly Delivery[]): Reservation {
  return { deliveries, isWhole: deliveries.length === 0, settle: () => {} };
}

/** Events per read: in all, and of one business. */
const PAGE_EVENTS = 100;
const PAGE_EVENTS_OF_BUSINESS = 25;

/** The size of a chunk, by deliveries and by bytes of bodies. The last event may exceed it: events are not split. */
const CHUNK_DELIVERIES = 250;
const CHUNK_BYTES = 1024 * 1024;

/**
 * Makes one delivery per subscriber for each waiting event: oldest first, businesses in turn, in bounded chunks.
 * Concurrent dispatchers fan each event out once. An event that fails is reported and retried in the next call; it does
 * not block other events.
 */
export async function fanOutEvents(context: WebhookContext, limits: FanOutLimits): Promise<FanOut> {
  const seen = new Set<string>();
  let written = 0;
  while (written < limits.events) {
    const limit = Math.min(PAGE_EVENTS, limits.events - written);
    const found = await context.store.findUndispatchedEvents(limit, PAGE_EVENTS_OF_BUSINESS, context.onError);
    const events = found.filter((event) => !seen.has(nameOf(event)));
    const isLastPage = found.length < Math.min(limit, PAGE_EVENTS_OF_BUSINESS);
    for (const event of events) seen.add(nameOf(event));
    const waiting = inTurns(events);
    // Read after the events and not cached across pages: a subscriber created before an event must get it.
    const subscribers = new Map<string, Promise<Subscribers>>();
    while (waiting.length > 0) {
      if (!limits.isActive()) return { written, mayBeMore: true };
      written += await writeChunk(context, waiting, subscribers, limits);
    }
    if (isLastPage || events.length === 0) return { written, mayBeMore: false };
  }
  return { written, mayBeMore: true };
}

function nameOf({ businessId, sequence }: StoredEvent): string {
  return `${businessId} ${sequence}`;
}

/** The first event of each business, then the second of each, and so on. */
function inTurns(events: readonly StoredEvent[]): StoredEvent[] {
  const turns = new Map<string, number>();
  return events
    .map((event) => {
      const turn = turns.get(event.businessId) ?? 0;
      turns.set(event.businessId, turn + 1);
      return { event, turn };
    })
    .sort((a, b) => a.turn - b.turn)
    .map(({ event }) => event);
}

interface Prepared {
  readonly event: StoredEvent;
  readonly reservation: Reservation;
}

/** Fans out the first waiting events and removes them from the list. Returns how many were written. */
async function writeChunk(
  context: WebhookContext,
  waiting: StoredEvent[],
  subscribers: Map<string, Promise<Subscribers>>,
  { reserve = unreserved, onWaiting }: FanOutLimits,
): Promise<number> {
  const chunk: Prepared[] = [];
  for (let count = 0, bytes = 0; count < CHUNK_DELIVERIES && bytes < CHUNK_BYTES; ) {
    const event = waiting.shift();
    if (event === undefined) break;
    const deliveries = await prepare(context, event, subscribers).catch(
      (error: unknown) => void context.onError(error),
    );
    if (deliveries === undefined) continue;
    chunk.push({ event, reservation: reserve(deliveries) });
    count += deliveries.length;
    bytes += deliveries.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
  }
  const outcomes = await Promise.all(chunk.map((prepared) => write(context, prepared)));
  if (chunk.some(({ reservation }, index) => outcomes[index] === "added" && !reservation.isWhole)) onWaiting?.();
  return outcomes.filter((outcome) => outcome === "added").length;
}

async function write({ store, onError }: WebhookContext, { event, reservation }: Prepared): Promise<Addition> {
  let outcome: Addition = "unknown";
  try {
    outcome = (await store.fanOut(event, reservation.deliveries)) === "written" ? "added" : "not-added";
  } catch (error) {
    onError(error);
  } finally {
    reservation.settle(outcome);
  }
  return outcome;
}

async function prepare(
  { store, clock, ids }: WebhookContext,
  event: StoredEvent,
  subscribers: Map<string, Promise<Subscribers>>,
): Promise<readonly Delivery[]> {
  const { businessId } = event;
  const loading = subscribers.get(businessId) ?? store.findSubscribers(businessId);
  subscribers.set(businessId, loading);
  const now = clock.now();
  const recipients = subscribersOf(event, await loading, now);
  const newIds = await ids.take(businessId, recipients.length);
  const write = payloadWriter(event);
  const order = orderOf(event);
  return recipients.map(({ subscriber, delaysSeconds, isOrdered }, index) => {
    const draft = { subscriber, delaysSeconds, businessId, id: at(newIds, index), announcement: event };
    return newDelivery(isOrdered ? { ...draft, order } : draft, now, write);
  });
}

/** The kind of the subject is the first part of the type: ids of two kinds may be equal. */
export function orderOf({ type, subjectId, sequence }: StoredEvent): DeliveryOrder {
  return { subject: `${type.slice(0, type.indexOf("."))} ${subjectId}`, sequence };
}
