import type { Store } from "@budgetkit/core";
import type { Exchange } from "./client.js";
import { type Consumer, consumeEvents } from "./consumers.js";
import { type FaultKind, Faults } from "./faults.js";
import type { KnownEntry } from "./ledger.js";
import { Model } from "./model.js";
import { useNetwork } from "./network.js";
import { isUnavailable, type ProcessParts, type SimulatedProcess, startProcess } from "./process.js";
import { Receivers } from "./receivers.js";
import { Scheduler } from "./scheduler.js";
import type { HostDatabase, Prepared } from "./stores.js";
import { LEAST_RETENTION_MS, STARTED_AT, type Tenant } from "./tenants.js";
import { Trace } from "./trace.js";
import { Violation } from "./violation.js";

/** Far enough for claims, leases and windows to go wrong; near enough for limits to be checked exactly within it. */
export const MOST_SKEW_MS = 4_000;

export interface World {
  readonly seed: number;
  readonly store: Store;
  readonly host: HostDatabase | null; // null = hosts have no transactions of their own
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
  readonly recovered: Set<string>; // subscribers whose deliveries a client sent again
  readonly ledgers: Map<string, KnownEntry[]>; // by business: every entry of its log, also after its removal
  readonly consumers: readonly Consumer[];
  readonly retentionMs: number | null; // of events and deliveries; null = longer than a seed
  hasWritten: boolean; // since the last check
  failure: Error | null;
  clients: number; // under way
}

/** Something that a client wants to happen once. */
interface Intent {
  asked: number; // how often it may have happened at most
  done: number; // how often a client got the answer that it happened
}

export interface WorldOptions {
  readonly seed: number;
  readonly prepared: Prepared;
  readonly isTraced: boolean;
  readonly withoutFaults: ReadonlySet<FaultKind>;
}

export async function begin({ seed, prepared, isTraced, withoutFaults }: WorldOptions): Promise<World> {
  const scheduler = new Scheduler(seed, STARTED_AT);
  const trace = new Trace(isTraced);
  const receivers = new Receivers(seed, scheduler, trace);
  useNetwork(receivers);
  const retentionMs = seed % 5 === 4 ? LEAST_RETENTION_MS : null;
  const { store, tenants, host, close } = await scheduler.outside(prepared);
  const world: World = {
    seed,
    store,
    host,
    close,
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
    ledgers: new Map(),
    consumers: tenants.map((tenant) => ({ tenant, taken: [], cursor: 0, removed: 0 })),
    retentionMs,
    hasWritten: true,
    failure: null,
    clients: 0,
  };
  for (const consumer of world.consumers) {
    consumeEvents(world, consumer).catch((error: unknown) => {
      world.failure ??= error instanceof Error ? error : new Error(String(error));
    });
  }
  for (let count = 2 + (scheduler.draw(3) === 0 ? 1 : 0); count > 0; count -= 1) addProcess(world);
  return world;
}

export function addProcess(world: World): void {
  const { seed, scheduler, store, faults, trace, receivers, processes, retentionMs } = world;
  const parts: ProcessParts = {
    seed,
    scheduler,
    store,
    faults,
    trace,
    retentionMs,
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
