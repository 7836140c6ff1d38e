import type { Store } from "@budgetkit/core";
import { useNetwork } from "../engine/network.js";
import { Scheduler } from "../engine/scheduler.js";
import { Trace } from "../engine/trace.js";
import { Violation } from "../engine/violation.js";
import type { Exchange } from "./exchange.js";
import { type FaultKind, Faults } from "./faults.js";
import type { WorldKind } from "./kinds.js";
import { Model } from "./model.js";
import { isUnavailable, type ProcessParts, type SimulatedProcess, startProcess } from "./process.js";
import { Receivers } from "./receivers.js";
import type { HostDatabase, Prepared } from "./stores.js";
import { LEAST_RETENTION_MS, STARTED_AT, type Tenant } from "./tenants.js";

export interface World {
  readonly seed: number;
  readonly kind: WorldKind;
  readonly store: Store;
  readonly host: HostDatabase | null; // null = hosts cannot have transactions of their own
  close(): void;
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
  readonly recovered: Set<string>; // subscribers with deliveries that a client sent again
  readonly ledgers: Map<string, KnownEntry[]>; // by business: every entry of its log, also after its removal
  readonly consumers: readonly Consumer[];
  readonly retentionMs: number | null; // of events and deliveries; null = longer than a seed
  readonly tickMs: number | null; // between the ticks of hosts; null = the service runs on its own
  readonly counts: Map<string, number>; // events of the simulation that nothing else records
  turnWaitsSince: number | null; // since when an ordered delivery could begin its turn; null = none could
  hasWritten: boolean; // since the last check
  failure: Error | null;
  clients: number; // under way
}

/** An entry of the ledger as it was first read. */
export interface KnownEntry {
  readonly hash: string;
  readonly occurredAt: number;
  readonly type: string;
  readonly subjectId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A program of the host that follows the events of a business. Its cursor survives every crash. */
export interface Consumer {
  readonly tenant: Tenant;
  readonly taken: number[]; // sequences
  cursor: number;
  removed: number; // up to this entry, retention may have removed events before they were read
}

/** An effect that may happen once for each request. */
interface Intent {
  asked: number; // how often it may have happened
  done: number; // how often an answer confirmed it
}

export interface WorldOptions {
  readonly seed: number;
  readonly kind: WorldKind;
  readonly prepared: Prepared;
  readonly isTraced: boolean;
  readonly withoutFaults: ReadonlySet<FaultKind>;
}

export async function begin({ seed, kind, prepared, isTraced, withoutFaults }: WorldOptions): Promise<World> {
  const scheduler = new Scheduler(seed, STARTED_AT);
  const trace = new Trace(isTraced);
  const receivers = new Receivers(seed, kind.mostRetryAfterSeconds, scheduler, trace);
  useNetwork(receivers);
  const retentionMs = kind.hasRetention && seed % 5 === 4 ? LEAST_RETENTION_MS : null;
  const { store, tenants, host, close } = await scheduler.outside(prepared);
  const world: World = {
    seed,
    kind,
    store,
    host,
    close,
    scheduler,
    faults: new Faults(seed, kind.faults, withoutFaults),
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
    ledgers: new Map(),
    consumers: tenants.map((tenant) => ({ tenant, taken: [], cursor: 0, removed: 0 })),
    retentionMs,
    tickMs: seed % 5 < 2 ? kind.tickMs : null,
    counts: new Map(),
    turnWaitsSince: null,
    hasWritten: true,
    failure: null,
    clients: 0,
  };
  return world;
}

/** Two processes, or three. */
export function startProcesses(world: World): void {
  for (let count = 2 + (world.scheduler.draw(3) === 0 ? 1 : 0); count > 0; count -= 1) addProcess(world);
}

/** Ends the seed with an error of the simulation or of the service. */
export function fail(world: World, error: unknown): void {
  world.failure ??= error instanceof Error ? error : new Error(String(error));
}

export function count({ counts }: World, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

export function addProcess(world: World): void {
  const { seed, kind, scheduler, store, faults, trace, receivers, processes, retentionMs, tickMs } = world;
  const { mostSkewMs } = kind;
  const parts: ProcessParts = {
    seed,
    scheduler,
    store,
    faults,
    trace,
    retentionMs,
    tickMs,
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
  const isExact = mostSkewMs === 0 || scheduler.draw(3) === 0;
  const skewMs = isExact ? 0 : scheduler.draw(2 * mostSkewMs) - mostSkewMs;
  processes.push(startProcess(parts, processes.length + 1, skewMs));
}
