import { createBudgetService } from "@budgetkit/core";
import type { Store } from "@budgetkit/core/store";
import { faultOfChain } from "../../simulation/hash-chain.js";
import { type Creation, findBrokenPromises, type RecordedEvent, type StoredBudget } from "./workload/ledger.js";

/** What a test knows of the business whose store it checks. */
export interface KnownFacts {
  readonly businessId: string;
  /** What its clients wrote. Each made a budget or none. */
  readonly creations: readonly Creation[];
  /** Webhooks that get every event of a budget, and existed before the first. */
  readonly endpointIds?: readonly string[];
}

type Service = ReturnType<typeof createBudgetService>;
type System = { readonly kind: "system"; readonly businessId: string };

interface ListedEvent extends RecordedEvent {
  readonly id: string;
  readonly sequence: number;
  readonly revision?: number;
}

const STATUSES = ["DRAFT", "PENDING", "APPROVED", "REJECTED", "EXPIRED", "COMPLETED", "ARCHIVED"] as const;
const ENDED = new Set(["delivered", "failed", "cancelled"]);
const MOST_COUNTED = 1_000;
const secret = "a secret of at least thirty-two characters";

/**
 * Every invariant that a database breaks at rest, in words; empty = none. It is what must hold after each fault, on each
 * store: acknowledged writes are there and took effect once, each change has its event, event sequences and numbers of
 * budgets have no gaps, counters are what a recount gives, and each event was delivered to each webhook or given up.
 * Reads the store alone, without a server, and leaves it open.
 */
export async function findViolations(store: Store, facts: KnownFacts): Promise<string[]> {
  const { businessId, creations, endpointIds = [] } = facts;
  const service = createBudgetService({ store, secret });
  const system = { kind: "system", businessId } as const;
  const budgets = await allBudgets(service, system);
  const entries = await all<ListedEvent>((page) => service.events.list(system, page));
  const events = entries.filter(({ event }) => event.startsWith("budget."));
  const deliveries = endpointIds.map((id) => problemsOfDeliveries(service, system, id, events));
  return [
    ...findBrokenPromises(creations, budgets, events),
    ...problemsOfSequences(entries),
    ...problemsOfRevisions(entries),
    ...(await problemsOfChain(store, businessId)),
    ...problemsOfFirstNumber(budgets),
    ...(await problemsOfCounters(service, system, budgets)),
    ...(await Promise.all(deliveries)).flat(),
    ...(endpointIds.length === 0 ? [] : await problemsOfBacklog(store)),
  ];
}

/** The sequences of a business are 1, 2, 3 …, though commits were cut off. `entries` has the newest first. */
function problemsOfSequences(entries: readonly { readonly id: string; readonly sequence: number }[]): string[] {
  const wrong = entries.filter(({ sequence }, index) => sequence !== entries.length - index);
  const first = wrong.at(-1);
  return first === undefined
    ? []
    : [`${wrong.length} of ${entries.length} sequences are wrong, first ${first.sequence} (${first.id})`];
}

/** The revisions of each subject are 1, 2, 3 …, where the store counts them. `entries` has the newest first. */
function problemsOfRevisions(entries: readonly ListedEvent[]): string[] {
  const last = new Map<string, number>();
  return [...entries].reverse().flatMap(({ id, subjectId, revision }) => {
    if (revision === undefined) return [];
    const expected = (last.get(subjectId) ?? 0) + 1;
    last.set(subjectId, revision);
    return revision === expected ? [] : [`event ${id} of ${subjectId} has revision ${revision}, not ${expected}`];
  });
}

/** From the first entry that is kept, each one has the hash over itself and the hash before; the last one is the head. */
async function problemsOfChain(store: Store, businessId: string): Promise<string[]> {
  const { start, head } = await store.findLedgerBounds(businessId);
  let at: { readonly sequence: number; readonly hash: string | null } = start ?? { sequence: 0, hash: null };
  for (;;) {
    const page = await store.readLedger(businessId, { after: at.sequence, limit: MOST_COUNTED });
    const fault = faultOfChain(page, at);
    if (fault !== null) return [fault];
    const last = page.at(-1);
    if (last === undefined) break;
    at = { sequence: last.entry.sequence, hash: last.hash };
  }
  const isWhole = at.sequence === head.sequence && at.hash === head.hash;
  return isWhole ? [] : [`the ledger ends at ${at.sequence}, its counter at ${head.sequence}`];
}

/** The series begins with 1. `findBrokenPromises` has looked for gaps. */
function problemsOfFirstNumber(budgets: readonly StoredBudget[]): string[] {
  const numbers = budgets.flatMap(({ number }) => (number === undefined ? [] : [number]));
  const isWhole = numbers.length === 0 || numbers.includes("K-1");
  return isWhole ? [] : [`no budget has the number K-1 among ${numbers.length}`];
}

async function allBudgets(service: Service, system: System): Promise<StoredBudget[]> {
  const listed = await all((page) => service.budgets.list(system, page));
  return listed.map(({ notes, ...budget }) => ({ ...budget, notes: notes ?? "" }));
}

/** The totals of lists, the dashboard and the quota are counters; the budgets are counted here. */
async function problemsOfCounters(
  service: Service,
  system: System,
  budgets: readonly StoredBudget[],
): Promise<string[]> {
  const { byStatus } = (await service.usage.dashboard(system))._unsafeUnwrap().budgets;
  const storage = await service.businesses.storage(system.businessId);
  const counters: [name: string, counter: number | undefined, counted: number][] = [
    [
      "the list of all",
      (await service.budgets.list(system, { limit: 1 }))._unsafeUnwrap().pagination.total,
      budgets.length,
    ],
    ["the quota", storage?.budgets.used, budgets.length],
  ];
  for (const status of STATUSES) {
    const counted = budgets.filter((budget) => budget.status === status).length;
    const { total } = (await service.budgets.list(system, { status, limit: 1 }))._unsafeUnwrap().pagination;
    counters.push([`the list of ${status}`, total, counted], [`the dashboard's ${status}`, byStatus[status], counted]);
  }
  return counters
    .filter(([, counter, counted]) => counter !== counted)
    .map(([name, counter, counted]) => `${name} counts ${counter} budgets of ${counted}`);
}

/** One delivery for each event, each of which has ended. */
async function problemsOfDeliveries(
  service: Service,
  system: System,
  endpointId: string,
  events: readonly ListedEvent[],
): Promise<string[]> {
  const deliveries = await all((page) => service.webhooks.deliveries(system, endpointId, page));
  const ofEvents = deliveries.filter(({ eventId }) => eventId !== null).map(({ eventId }) => String(eventId));
  const known = new Set(events.map(({ id }) => id));
  const delivered = new Set(ofEvents);
  return [
    ...deliveries.filter(({ status }) => !ENDED.has(status)).map(({ id, status }) => `delivery ${id} is ${status}`),
    ...events.filter(({ id }) => !delivered.has(id)).map(({ id, event }) => `${event} ${id} has no delivery`),
    ...ofEvents.filter((id) => !known.has(id)).map((id) => `a delivery of ${id}, which is no event of a budget`),
    ...(delivered.size === ofEvents.length ? [] : [`${ofEvents.length} deliveries of ${delivered.size} events`]),
  ];
}

async function problemsOfBacklog(store: Store): Promise<string[]> {
  const backlog = await store.countBacklog(Date.now(), MOST_COUNTED);
  const waiting = Object.values(backlog).reduce((sum, count) => sum + Number(count), 0);
  return waiting === 0 ? [] : [`work is left: ${JSON.stringify(backlog)}`];
}

interface Page<T> {
  readonly data: readonly T[];
  readonly pagination: { readonly hasMore: boolean };
}

/** Every entry of a list. */
async function all<T>(
  list: (page: { page: number; limit: number }) => Promise<{ _unsafeUnwrap(): Page<T> }>,
): Promise<T[]> {
  const entries: T[] = [];
  for (let page = 1; ; page += 1) {
    const { data, pagination } = (await list({ page, limit: 100 }))._unsafeUnwrap();
    entries.push(...data);
    if (!pagination.hasMore) return entries;
  }
}
