import type { StoredEvent } from "../../events/event.js";
import type { Delivery } from "../delivery.js";
import type { WebhookContext } from "../webhook-context.js";
import type { Subscribers, UnreadableReport } from "../webhook-store.js";
import { newDeliveries } from "./new-delivery.js";

export interface FanOut {
  readonly written: number; // events fanned out by this call
  readonly mayBeMore: boolean; // the call reached its limit
}

/** Bounds of every call, and what each reports. */
export interface FanOutBounds {
  readonly events: number;
  readonly onUnreadable: UnreadableReport;
  /** Called before subscribers are read; its result with those of each business that has events. */
  beginRead?(): (businessId: string, subscribers: Subscribers) => void;
}

/** Bounds of one call. */
export interface FanOutLimits extends FanOutBounds {
  /** Checked before each chunk; false ends the call. */
  isActive(): boolean;
  /** Called after each event with deliveries: they wait to be claimed. */
  onWaiting?(): void;
}

/** Events per read, where none has to be passed over: in all, and of one business. */
const PAGE_EVENTS = 100;
const PAGE_EVENTS_OF_BUSINESS = 25;
/** A call tries at most about this many times the events that it may write: the store may refuse every write. */
const TRIES = 2;

/** What one call has found so far. */
interface Progress {
  readonly tried: Set<string>; // names of events
  readonly passedOver: Set<string>; // businesses whose subscribers cannot be read: the next call tries them again
}

/** The size of a chunk, by deliveries and by bytes of bodies. The last event may exceed it: events are not split. */
const CHUNK_DELIVERIES = 250;
const CHUNK_BYTES = 1024 * 1024;

/**
 * Makes one delivery per subscriber for each waiting event: oldest first, businesses in turn, in bounded chunks.
 * Concurrent dispatchers fan each event out once. An event that fails is reported and retried in the next call; it does
 * not block other events. Neither does one that cannot be read: where such events leave no room for others, the next page
 * is wider. A business whose subscribers cannot be read is reported once and passed over.
 */
export async function fanOutEvents(context: WebhookContext, limits: FanOutLimits): Promise<FanOut> {
  const progress: Progress = { tried: new Set(), passedOver: new Set() };
  const { tried, passedOver } = progress;
  let written = 0;
  let width = 1;
  while (limits.isActive() && written < limits.events && tried.size < TRIES * limits.events) {
    const room = limits.events - written;
    const { events, isLast } = await readPage(context, limits, width, passedOver);
    const fresh = inTurns(events.filter((event) => !tried.has(nameOf(event))));
    const waiting = fresh.slice(0, room);
    const find = subscriberFinder(context, limits, passedOver);
    while (waiting.length > 0 && limits.isActive()) {
      written += await writeChunk(context, waiting, progress, find, limits);
    }
    if (isLast && fresh.length <= room) return { written, mayBeMore: false };
    if (fresh.length < PAGE_EVENTS_OF_BUSINESS) width *= 2;
  }
  return { written, mayBeMore: written > 0 };
}

async function readPage(
  { store }: WebhookContext,
  { onUnreadable }: FanOutLimits,
  width: number,
  passedOver: ReadonlySet<string>,
): Promise<{ readonly events: readonly StoredEvent[]; readonly isLast: boolean }> {
  const limit = PAGE_EVENTS * width;
  const perBusiness = PAGE_EVENTS_OF_BUSINESS * width;
  let unreadable = 0;
  const events = await store.findUndispatchedEvents(limit, perBusiness, [...passedOver], (...report) => {
    unreadable += 1;
    onUnreadable(...report);
  });
  return { events, isLast: events.length + unreadable < Math.min(limit, perBusiness) };
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

type FindSubscribers = (businessId: string) => Promise<Subscribers>;

/**
 * Reads the subscribers of a business once a page: after its events and for no later page, because a subscriber created
 * before an event must get it.
 */
function subscriberFinder(
  { store }: WebhookContext,
  { beginRead }: FanOutLimits,
  passedOver: Set<string>,
): FindSubscribers {
  const found = new Map<string, Promise<Subscribers>>();
  return (businessId) => {
    const known = found.get(businessId);
    if (known !== undefined) return known;
    const remember = beginRead?.();
    const finding = store.findSubscribers(businessId);
    finding.then(
      (subscribers) => remember?.(businessId, subscribers),
      () => passedOver.add(businessId),
    );
    found.set(businessId, finding);
    return finding;
  };
}

/** Fans out the first waiting events and removes them from the list. Returns how many were written. */
async function writeChunk(
  context: WebhookContext,
  waiting: StoredEvent[],
  { tried, passedOver }: Progress,
  find: FindSubscribers,
  { onWaiting }: FanOutLimits,
): Promise<number> {
  const chunk: { readonly event: StoredEvent; readonly deliveries: readonly Delivery[] }[] = [];
  for (let count = 0, bytes = 0; count < CHUNK_DELIVERIES && bytes < CHUNK_BYTES; ) {
    const event = waiting.shift();
    if (event === undefined) break;
    if (passedOver.has(event.businessId)) continue;
    tried.add(nameOf(event));
    const deliveries = await find(event.businessId)
      .then((subscribers) => newDeliveries(context, event, subscribers))
      .catch((error: unknown) => void context.onError(error));
    if (deliveries === undefined) continue;
    chunk.push({ event, deliveries });
    count += deliveries.length;
    bytes += deliveries.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
  }
  const written = await Promise.all(chunk.map(({ event, deliveries }) => write(context, event, deliveries, onWaiting)));
  return written.filter(Boolean).length;
}

/** Whether this call has fanned the event out. After an error it may have: its deliveries are looked for too. */
async function write(
  { store, onError }: WebhookContext,
  event: StoredEvent,
  deliveries: readonly Delivery[],
  onWaiting: FanOutLimits["onWaiting"],
): Promise<boolean> {
  let outcome: unknown;
  try {
    outcome = await store.fanOut(event, deliveries);
  } catch (error) {
    onError(error);
  }
  if (deliveries.length > 0 && outcome !== "taken") onWaiting?.();
  return outcome === "written";
}

/** The names that are remembered. Events beyond them are not reported until the next start. */
const MAX_REPORTED = 10_000;

/** Reports each event that cannot be read once: every round reads it again, for it may have been repaired. */
export function reportingOnce(onError: (error: unknown) => void): UnreadableReport {
  const reported = new Set<string>();
  return (error, name) => {
    if (reported.has(name) || reported.size >= MAX_REPORTED) return;
    reported.add(name);
    onError(error);
  };
}
