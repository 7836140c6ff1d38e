import { createBudgetService, type Scope, type Store } from "@budgetkit/core";
import { seededRandom } from "@budgetkit/testing";
import type { Exchange } from "./client.js";
import { type FaultKind, Faults } from "./faults.js";
import { Model } from "./model.js";
import { useNetwork } from "./network.js";
import { type ProcessParts, type SimulatedProcess, startProcess } from "./process.js";
import { Receivers } from "./receivers.js";
import { Scheduler } from "./scheduler.js";
import { Trace } from "./trace.js";
import { Violation } from "./violation.js";

const STARTED_AT = Date.parse("2026-03-02T12:00:00.000Z");
/** Far enough for claims, leases and windows to go wrong; near enough for limits to be checked exactly within it. */
export const MOST_SKEW_MS = 4_000;
export const LIMIT_PER_HOUR = 9;

export interface Subscriber {
  readonly name: string; // as deliveries name it: `endpoint 12`
  readonly host: string;
  readonly secret: string;
  readonly delaysSeconds: readonly number[];
  readonly since: number; // the sequence after which it gets every event
  touched: boolean; // true = it was changed, removed or disabled since: it may miss events
}

/** A business with its keys and endpoints, and what its clients know. */
export interface Tenant {
  readonly name: string;
  readonly mark: string; // in every text that its clients write, and in nothing that others may see
  readonly businessId: string;
  readonly key: Credential;
  readonly limited: Credential; // a key with few requests an hour
  readonly spare: Credential; // a key that is suspended and revoked
  readonly budgets: string[]; // ids that clients were given
  readonly links: Link[];
  readonly linkEndings: LinkEnding[];
  readonly subscribers: Subscriber[];
}

/** A public link that a client was given. */
export interface Link {
  readonly budgetId: string;
  readonly token: string;
  readonly made: { readonly startStep: number; readonly endStep: number };
}

/** A request of a client that ends the links of a budget. */
export interface LinkEnding {
  readonly budgetId: string;
  readonly startStep: number;
  endStep: number | null; // null = without an answer
}

export interface Credential {
  readonly id: string;
  readonly key: string;
  /** Since which step it is refused; null = it is valid. Between both numbers it may be either. */
  refusedFrom: number | null;
  endingSince: number | null;
}

export interface World {
  readonly seed: number;
  readonly store: Store;
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly trace: Trace;
  readonly model: Model;
  readonly receivers: Receivers;
  readonly tenants: readonly Tenant[];
  readonly processes: SimulatedProcess[];
  readonly exchanges: Exchange[];
  readonly answered: Exchange[]; // not judged yet
  readonly intents: Map<string, Intent>;
  readonly intentOf: Map<string, string>; // by budget
  readonly recovered: Set<string>; // subscribers whose deliveries a client sent again
  readonly hashes: Map<string, string>; // by business: the hash of the last entry of its log
  hasWritten: boolean; // since the last check
  failure: Error | null;
  clients: number; // under way
}

/** Something that a client wants to happen once. */
interface Intent {
  asked: number; // how often it may have happened at most
  done: number; // how often a client was told that it happened
}

export interface WorldOptions {
  readonly seed: number;
  readonly store: () => Promise<Store>;
  readonly isTraced: boolean;
  readonly withoutFaults: ReadonlySet<FaultKind>;
}

export async function begin({ seed, store: open, isTraced, withoutFaults }: WorldOptions): Promise<World> {
  const scheduler = new Scheduler(seed, STARTED_AT);
  const trace = new Trace(isTraced);
  const receivers = new Receivers(seed, scheduler, trace);
  useNetwork(receivers);
  const store = await scheduler.outside(open);
  const tenants = await scheduler.outside(() => makeTenants(store, scheduler, seed));
  const world: World = {
    seed,
    store,
    scheduler,
    faults: new Faults(seed, withoutFaults),
    trace,
    model: new Model(),
    receivers,
    tenants,
    processes: [],
    exchanges: [],
    answered: [],
    intents: new Map(),
    intentOf: new Map(),
    recovered: new Set(),
    hashes: new Map(),
    hasWritten: true,
    failure: null,
    clients: 0,
  };
  for (let count = 2 + (scheduler.draw(3) === 0 ? 1 : 0); count > 0; count -= 1) addProcess(world);
  return world;
}

export function addProcess(world: World): void {
  const { seed, scheduler, store, faults, trace, receivers, processes } = world;
  const parts: ProcessParts = {
    seed,
    scheduler,
    store,
    faults,
    trace,
    resolveName: receivers.resolveName,
    onError: (error) => {
      if (isUnavailable(error)) return;
      world.failure ??= new Violation(
        "no unexpected failure",
        error instanceof Error ? String(error.stack) : String(error),
      );
    },
    onWrite: () => {
      world.hasWritten = true;
    },
  };
  const skewMs = scheduler.draw(3) === 0 ? 0 : scheduler.draw(2 * MOST_SKEW_MS) - MOST_SKEW_MS;
  processes.push(startProcess(parts, processes.length + 1, skewMs));
}

/** The faults of the simulation itself, which the service reports. */
function isUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isUnavailable);
  return error instanceof Error && error.name === "StoreUnavailable";
}

const SCOPES: readonly Scope[] = ["READ_BUDGETS", "WRITE_BUDGETS", "READ_CUSTOMERS", "WRITE_CUSTOMERS", "WEBHOOKS"];
const SCHEDULES = [
  [0, 5, 5],
  [0, 60, 300],
  [0, 1, 1, 1],
  [0, 60, 300, 1_800, 7_200, 43_200],
];

const KEY_SCHEDULE = [0, 60, 300, 1_800, 7_200, 43_200];
const KEY_SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

/** Two businesses, made by a service of their own before the simulation begins. */
async function makeTenants(store: Store, scheduler: Scheduler, seed: number): Promise<Tenant[]> {
  const clock = { now: () => scheduler.now, monotonicMs: () => scheduler.monotonicMs() };
  const random = seededRandom(seed + 7);
  const service = createBudgetService({ store, secret: SECRET, clock, random, onError: () => {} });
  const tenants: Tenant[] = [];
  const withKeyCallbacks = scheduler.draw(2) === 0 ? "A" : "B";
  for (const name of ["A", "B"]) {
    const { id: businessId } = (await service.businesses.create({ name: `Firm ${name}` }))._unsafeUnwrap();
    const actor = { kind: "system", businessId } as const;
    const keyOf = async (label: string, rest: object): Promise<Credential> => {
      const made = (await service.keys.create(actor, { name: label, scopes: [...SCOPES], ...rest }))._unsafeUnwrap();
      return { id: made.id, key: made.key, refusedFrom: null, endingSince: null };
    };
    const subscribers: Subscriber[] = [];
    const host = `hook-key-${name.toLowerCase()}.example`;
    const callbacks = name === withKeyCallbacks ? { webhookUrl: `https://${host}/`, webhookSecret: KEY_SECRET } : {};
    const spare = await keyOf("spare", callbacks);
    if (name === withKeyCallbacks) {
      const schedule = { secret: KEY_SECRET, delaysSeconds: KEY_SCHEDULE };
      subscribers.push({ name: `key ${spare.id}`, host, ...schedule, since: 0, touched: false });
    }
    for (let count = 1 + scheduler.draw(2); count > 0; count -= 1) {
      const host = `hook-${name.toLowerCase()}${count}.example`;
      const delaysSeconds = SCHEDULES[scheduler.draw(SCHEDULES.length)] ?? [0];
      const settings = { url: `https://${host}/`, retryPolicy: { delaysSeconds: [...delaysSeconds] } };
      const made = (await service.webhooks.create(actor, settings))._unsafeUnwrap();
      subscribers.push({
        name: `endpoint ${made.id}`,
        host,
        secret: made.secret,
        delaysSeconds,
        since: 0,
        touched: false,
      });
    }
    tenants.push({
      name,
      mark: `~mark-of-${name}~`,
      businessId,
      key: await keyOf("main", { rateLimitPerHour: 10_000 }),
      limited: await keyOf("limited", { rateLimitPerHour: LIMIT_PER_HOUR }),
      spare,
      budgets: [],
      links: [],
      linkEndings: [],
      subscribers,
    });
  }
  return tenants;
}

const SECRET = "a secret for the simulation, long enough";
