import { EVENT_TYPES, type StoredEvent, subjectKindOf } from "../../events/event.js";
import { type LogEntry, nextEntries } from "../../events/next-entries.js";
import { at } from "../../kernel/arrays.js";
import { isStorageFull } from "../../limits/storage-quota.js";
import type { Delivery } from "../delivery.js";
import type { WebhookEndpoint } from "../endpoint.js";
import { selects } from "../filters/selection.js";
import type { Replay } from "../replay.js";
import type { ReplayedBudget, WebhookContext } from "../webhook-context.js";
import { newDelivery, orderOf } from "./new-delivery.js";

/** Entries that a step looks at. */
const STEP = 100;
/** Bytes of bodies, and of the budgets that were read for them, after which a step ends. */
const STEP_BYTES = 1024 * 1024;
/** Unfinished deliveries of an endpoint with which its replay waits, so that no queue grows without bounds. */
const MAX_UNFINISHED = 1_000;
/** Bytes of JSON of a budget in a replayed event. */
const MAX_BUDGET_BYTES = 64 * 1024;

export interface ReplaySteps {
  readonly sent: number; // deliveries made
  readonly mayBeMore: boolean; // another step may follow at once
}

/** Takes one step of each of these replays. One that fails is reported and repeated in the next round. */
export async function replayEvents(
  context: WebhookContext,
  replays: readonly Replay[],
  isActive: () => boolean,
): Promise<ReplaySteps> {
  let sent = 0;
  let mayBeMore = false;
  for (const replay of replays) {
    if (!isActive()) break;
    try {
      const next = await takeStep(context, replay);
      if (next === null) continue;
      sent += next.sent - replay.sent;
      mayBeMore ||= next.status === "running";
    } catch (error) {
      context.onError(error);
    }
  }
  return { sent, mayBeMore };
}

/** The replay after the step; null = it waits for its endpoint or for room, or another process has taken the step. */
async function takeStep(context: WebhookContext, replay: Replay): Promise<Replay | null> {
  const { store, clock } = context;
  const { businessId, endpointId } = replay;
  const endpoint = await store.findEndpoint(businessId, endpointId);
  const end = { ...replay, version: replay.version + 1, updatedAt: clock.now() };
  if (endpoint === null) return write(context, replay, { ...end, status: "cancelled" }, []);
  if (endpoint.status !== "ACTIVE" || (await isStorageFull(store, businessId, context.quota))) return null;
  const unfinished = await store.countUnfinished(businessId, { kind: "endpoint", id: endpointId }, MAX_UNFINISHED);
  if (unfinished >= MAX_UNFINISHED) return null;
  const limit = Math.min(STEP, MAX_UNFINISHED - unfinished);
  const { deliveries, nextSequence } = await prepareStep(context, replay, endpoint, limit);
  const status = nextSequence > replay.untilSequence ? "finished" : "running";
  const next = { ...end, status, nextSequence, sent: replay.sent + deliveries.length } as const;
  return write(context, replay, next, deliveries);
}

async function write(
  { store }: WebhookContext,
  { version }: Replay,
  next: Replay,
  deliveries: readonly Delivery[],
): Promise<Replay | null> {
  return (await store.writeReplay(next, version, deliveries)) === "written" ? next : null;
}

interface Step {
  readonly deliveries: readonly Delivery[];
  readonly nextSequence: number;
}

/** The deliveries of the next entries. Entries that are missing were removed by retention. */
async function prepareStep(
  context: WebhookContext,
  replay: Replay,
  endpoint: WebhookEndpoint,
  limit: number,
): Promise<Step> {
  const { businessId, nextSequence, untilSequence } = replay;
  const entries = await nextEntries(context.store, businessId, { after: nextSequence - 1, limit });
  const events = entries.filter((entry) => entry.sequence <= untilSequence).filter(isEvent);
  const chosen = events.filter((event) => selects(replay, event) && selects(endpoint, event));
  const ids = await context.ids.take(businessId, chosen.length);
  const budgets = new StepBudgets(context, businessId);
  const deliveries: Delivery[] = [];
  let bytes = 0;
  for (const [index, event] of chosen.entries()) {
    if (bytes + budgets.bytes >= STEP_BYTES) return { deliveries, nextSequence: event.sequence };
    const delivery = await deliveryOf(context, endpoint, { event, id: at(ids, index) }, budgets);
    bytes += Buffer.byteLength(delivery.body);
    deliveries.push(delivery);
  }
  const last = entries.at(-1)?.sequence ?? untilSequence;
  return { deliveries, nextSequence: Math.min(last, untilSequence) + 1 };
}

async function deliveryOf(
  { clock }: WebhookContext,
  { businessId, id: endpointId, retryDelaysSeconds, ordering }: WebhookEndpoint,
  { event, id }: { readonly event: StoredEvent; readonly id: string },
  budgets: StepBudgets,
): Promise<Delivery> {
  const subscriber = { kind: "endpoint", id: endpointId } as const;
  const isOfBudget = subjectKindOf(event.type) === "budget";
  const data = isOfBudget ? { ...event.data, budget: await budgets.read(event.subjectId) } : event.data;
  const announcement = { ...event, data, replay: true } as const;
  const draft = { businessId, id, subscriber, announcement, delaysSeconds: retryDelaysSeconds };
  return newDelivery(ordering === "subject" ? { ...draft, order: orderOf(event) } : draft, clock.now());
}

/** The budgets of a step, as they are now: each is read once. */
class StepBudgets {
  /** Bytes of JSON of all that were read, cut or not. */
  bytes = 0;
  readonly #context: WebhookContext;
  readonly #businessId: string;
  readonly #read = new Map<string, ReplayedBudget | null>();

  constructor(context: WebhookContext, businessId: string) {
    this.#context = context;
    this.#businessId = businessId;
  }

  /** A large budget is cut, because each body is stored. */
  async read(id: string): Promise<ReplayedBudget | null> {
    const known = this.#read.get(id);
    if (known !== undefined) return known;
    const budget = await this.#context.readBudget(this.#businessId, id);
    const bytes = budget === null ? 0 : Buffer.byteLength(JSON.stringify(budget));
    const isLarge = budget !== null && bytes > MAX_BUDGET_BYTES;
    const bounded = isLarge ? { id: budget.id, version: budget.version, truncated: true } : budget;
    this.bytes += bytes;
    this.#read.set(id, bounded);
    return bounded;
  }
}

const TYPES: ReadonlySet<string> = new Set(EVENT_TYPES);

function isEvent(entry: LogEntry): entry is StoredEvent {
  return TYPES.has(entry.type);
}
