import { type Store, StoreUnavailable } from "@budgetkit/core";
import type { Owner, Scheduler } from "../engine/scheduler.js";
import type { Trace } from "../engine/trace.js";
import type { Faults } from "./faults.js";

/** The shared store, and what disturbs the calls into it. */
export interface StoreParts {
  readonly scheduler: Scheduler;
  readonly store: Store;
  readonly faults: Faults;
  readonly trace: Trace;
  readonly onWrite: () => void;
}

const READS = /^(find|list|has|count|next|measure|sum|read|on|pending|withConnection|databaseSystem)/;
const NOT_A_CALL = new Set(["databaseSystem", "withConnection", "onWork", "then"]);
/** Maintenance that races with nothing: it runs without a step of its own. */
const AT_ONCE: ReadonlySet<string> = new Set<keyof Store>([
  "migrate",
  "pruneClaims",
  "pruneDeliveries",
  "findAgedLedgers",
  "shrinkFiles",
  "indexTexts",
  "pruneUsage",
  "pruneSessions",
  "pruneUploads",
  "pruneWindows",
  "clearReplacedSecrets",
]);
/** How processes look for work. A look that finds none is no step, because no other task can notice it. */
const LOOKS: ReadonlySet<string> = new Set<keyof Store>([
  "claimDue",
  "findUndispatchedEvents",
  "findAllOverdueBudgets",
  "findRunningReplays",
  "readLedger",
  "findLedgerBounds",
  "nextDueAt",
]);
/** Writes that add no entry to the event log. */
const UNLOGGED: ReadonlySet<string> = new Set<keyof Store>([
  "consume",
  "claimDue",
  "claimKey",
  "releaseClaim",
  "addUsage",
  "reserveIds",
  "fanOut",
]);

/** The store of one process: every call is a step of the scheduler, and some have a fault. */
export function faultyStore(parts: StoreParts, owner: Owner, die: (why: string) => void): Store {
  const { store } = parts;
  const methods = new Map<PropertyKey, unknown>();
  return new Proxy(store, {
    get: (target, name) => {
      const known = methods.get(name);
      if (known !== undefined) return known;
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function" || typeof name !== "string" || NOT_A_CALL.has(name)) return method;
      if (AT_ONCE.has(name))
        return (...args: unknown[]) => (owner.isAlive ? Reflect.apply(method, target, args) : never());
      const call = (...args: unknown[]) =>
        callStore(parts, owner, die, name, async () => Reflect.apply(method, target, args));
      methods.set(name, call);
      return call;
    },
  });
}

async function callStore(
  parts: StoreParts,
  owner: Owner,
  die: (why: string) => void,
  name: string,
  call: () => Promise<unknown>,
): Promise<unknown> {
  const { scheduler, faults, trace, onWrite } = parts;
  if (!owner.isAlive) return never();
  const fault = faults.ofStoreCall();
  if (fault === null && LOOKS.has(name)) return look(parts, owner, name, call);
  await scheduler.pass(owner, name);
  trace.add(scheduler.steps, scheduler.now, owner.name, fault === null ? name : `${name} (the store: ${fault})`);
  if (fault === "crash before") {
    die(`before ${name}`);
    return never();
  }
  if (fault === "refuses") throw new StoreUnavailable("the store refuses");
  if (fault === "comes late") await scheduler.pass(owner, `late ${name}`, 5_000 + faults.draw(85_000));
  const step = scheduler.steps;
  const answer = await settled(outside(scheduler, call));
  if (!READS.test(name) && !UNLOGGED.has(name)) onWrite();
  if (scheduler.steps !== step) await scheduler.pass(owner, `answer of ${name}`); // it took part in a group commit
  scheduler.current = owner;
  if (!owner.isAlive) return never();
  if (fault === "crash after") {
    die(`after ${name}`);
    return never();
  }
  if (fault === "is slow") await scheduler.pass(owner, `answer of ${name}`, faults.draw(20));
  if (fault === "hangs") await scheduler.pass(owner, `answer of ${name}`, 5_000 + faults.draw(85_000));
  if (fault === "loses its answer") throw new StoreUnavailable("the answer of the store was lost");
  if ("error" in answer) throw answer.error;
  return answer.value;
}

async function look(
  { scheduler, trace }: StoreParts,
  owner: Owner,
  name: string,
  call: () => Promise<unknown>,
): Promise<unknown> {
  const step = scheduler.steps;
  const found = await outside(scheduler, call);
  if (!owner.isAlive) return never();
  if (scheduler.steps !== step) await scheduler.pass(owner, `answer of ${name}`); // it took part in a group commit
  scheduler.current = owner;
  if (name === "nextDueAt" || name === "findLedgerBounds" || isNothing(found)) return found;
  trace.add(scheduler.steps, scheduler.now, owner.name, name);
  await scheduler.pass(owner, `answer of ${name}`);
  return found;
}

/** Runs a call as work of the store, which outlives the process. */
function outside<T>(scheduler: Scheduler, call: () => Promise<T>): Promise<T> {
  const { current } = scheduler;
  scheduler.current = null;
  const answer = call();
  scheduler.current = current;
  return answer;
}

function isNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

async function settled(call: Promise<unknown>): Promise<{ readonly value: unknown } | { readonly error: unknown }> {
  try {
    return { value: await call };
  } catch (error) {
    return { error };
  }
}

/** A call of a dead process never returns. */
export function never<T>(): Promise<T> {
  return new Promise(() => {});
}
