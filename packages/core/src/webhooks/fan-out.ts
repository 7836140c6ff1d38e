import type { StoredEvent } from "../events/event.js";
import { at } from "../kernel/at.js";
import type { Delivery } from "./delivery.js";
import type { Addition, Reservation } from "./delivery-pool.js";
import { newDelivery } from "./new-delivery.js";
import { subscribersOf } from "./subscription.js";
import type { WebhookContext } from "./webhook-context.js";
import type { Subscribers } from "./webhook-store.js";

/** What became of events that waited. */
export interface FanOut {
  readonly written: number; // events that this call fanned out
  readonly mayBeMore: boolean; // it ended for its limit
}

/** Bounds of one call. */
export interface FanOutLimits {
  readonly events: number;
  /** Asked before each further chunk. */
  goesOn(): boolean;
  /** Takes places for the deliveries of an event, so that they leave with the commit. Default: all wait for a claim. */
  reserve?(deliveries: readonly Delivery[]): Reservation;
  /** Told of each chunk of which something waits for a claim. */
  onWaiting?(): void;
}

/** Takes no places. */
function unreserved(deliveries: readonly Delivery[]): Reservation {
  return { deliveries, isWhole: deliveries.length === 0, settle: () => {} };
}

/** So many events are looked at together, of one business at most so many. */
const PAGE_EVENTS = 100;
const PAGE_EVENTS_OF_BUSINESS = 25;

/** A chunk is full with so many deliveries or so many bytes of bodies; the event that fills it is in it whole. */
const CHUNK_DELIVERIES = 250;
const CHUNK_BYTES = 1024 * 1024;

/**
 * Turns events that wait into one delivery for each subscriber: the oldest first, businesses taking turns, one bounded
 * chunk after the other. Other dispatchers may do the same at the same time: each event is fanned out once. One that
 * fails is reported and tried again next time, and keeps no other one waiting.
 */
export async function fanOutEvents(context: WebhookContext, limits: FanOutLimits): Promise<FanOut> {
  const seen = new Set<number>();
  let written = 0;
  while (written < limits.events) {
    const limit = Math.min(PAGE_EVENTS, limits.events - written);
    const found = await context.store.findUndispatchedEvents(limit, PAGE_EVENTS_OF_BUSINESS);
    const events = found.filter(({ sequence }) => !seen.has(sequence));
    const isLastPage = found.length < Math.min(limit, PAGE_EVENTS_OF_BUSINESS);
    for (const { sequence } of events) seen.add(sequence);
    const waiting = inTurns(events);
    // Read after the page was found, never kept for the next one: who was there before an event is sent it.
    const subscribers = new Map<string, Promise<Subscribers>>();
    while (waiting.length > 0) {
      if (!limits.goesOn()) return { written, mayBeMore: true };
      written += await writeChunk(context, waiting, subscribers, limits);
    }
    if (isLastPage || events.length === 0) return { written, mayBeMore: false };
  }
  return { written, mayBeMore: true };
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

/** Fans out the first of the events that wait, and takes them off the list. Gives how many were written. */
async function writeChunk(
  context: WebhookContext,
  waiting: StoredEvent[],
  subscribers: Map<string, Promise<Subscribers>>,
  { reserve = unreserved, goesOn, onWaiting }: FanOutLimits,
): Promise<number> {
  const report = (error: unknown): null => {
    context.onError(error);
    return null;
  };
  const chunk: Prepared[] = [];
  for (let count = 0, bytes = 0; count < CHUNK_DELIVERIES && bytes < CHUNK_BYTES; ) {
    const event = waiting.shift();
    if (event === undefined) break;
    const deliveries = await prepare(context, event, subscribers).catch(report);
    if (deliveries === null) continue;
    chunk.push({ event, reservation: goesOn() ? reserve(deliveries) : unreserved(deliveries) });
    count += deliveries.length;
    bytes += deliveries.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
  }
  const outcomes = await Promise.all(chunk.map((prepared) => write(context, prepared)));
  const waiters = chunk.filter(({ reservation }, index) => outcomes[index] === "added" && !reservation.isWhole);
  if (waiters.length > 0) onWaiting?.();
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
  const known = subscribers.get(businessId) ?? store.findSubscribers(businessId);
  subscribers.set(businessId, known);
  const now = clock.now();
  const recipients = subscribersOf(event.type, await known, now);
  const taken = await ids.take(recipients.length);
  return recipients.map((recipient, index) =>
    newDelivery({ ...recipient, businessId, id: at(taken, index), announcement: event }, now),
  );
}
