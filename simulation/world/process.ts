import {
  type BudgetService,
  createBudgetService,
  type Store,
  StoreUnavailable,
  undiciSender,
  type WebhookSender,
} from "@budgetkit/core";
import { seededRandom } from "@budgetkit/testing";
import type { Owner, Scheduler } from "../engine/scheduler.js";
import type { Trace } from "../engine/trace.js";
import type { Faults } from "./faults.js";
import { SECRET } from "./tenants.js";

/** What all processes of a seed share. */
export interface ProcessParts {
  readonly seed: number;
  readonly scheduler: Scheduler;
  readonly store: Store;
  readonly faults: Faults;
  readonly trace: Trace;
  readonly retentionMs: number | null;
  readonly tickMs: number | null; // between the ticks of a host with a scheduler; null = the service runs on its own
  readonly resolveName: (hostname: string) => Promise<readonly { address: string; family: number }[]>;
  readonly onError: (error: unknown) => void;
  readonly onWrite: () => void;
}

/** A running service with its own clock, over the shared store. */
export interface SimulatedProcess {
  readonly owner: Owner;
  readonly service: BudgetService;
  readonly death: Promise<"dead">;
  readonly startedAt: number;
  /** How far its clock is ahead of the true time. */
  skewMs: number;
  die(why: string): void;
}

const READS = /^(find|list|has|count|next|measure|sum|read|on|pending|withConnection|databaseSystem)/;
const NOT_A_CALL = new Set(["databaseSystem", "withConnection", "onWork", "then"]);
/** Maintenance that races with nothing: it runs without a step of its own. */
const AT_ONCE = new Set([
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
  "touchKey",
]);
/** How processes look for work. A look that finds none is no step, because no other task can notice it. */
const LOOKS = new Set([
  "claimDue",
  "findUndispatchedEvents",
  "findAllOverdueBudgets",
  "findRunningReplays",
  "readLedger",
  "findLedgerBounds",
  "nextDueAt",
]);
/** Writes that add no entry to the event log. */
const UNLOGGED = new Set(["consume", "claimDue", "claimKey", "releaseClaim", "addUsage", "reserveIds", "fanOut"]);

export function startProcess(parts: ProcessParts, number: number, skewMs: number): SimulatedProcess {
  const { scheduler, trace } = parts;
  const owner: Owner = { name: `process ${number}`, isAlive: true };
  let died: (outcome: "dead") => void = () => {};
  const death = new Promise<"dead">((resolve) => {
    died = resolve;
  });
  const startedAt = scheduler.now;
  const clock = { now: () => scheduler.now + self.skewMs, monotonicMs: () => scheduler.now - startedAt };
  const die = (why: string): void => {
    if (!owner.isAlive) return;
    trace.add(scheduler.steps, scheduler.now, owner.name, `dies: ${why}`);
    owner.isAlive = false;
    scheduler.drop(owner);
    died("dead");
  };
  const outer = scheduler.current;
  scheduler.current = owner;
  const service = createBudgetService({
    store: storeOf(parts, owner, die),
    secret: SECRET,
    clock,
    random: seededRandom(parts.seed * 31 + number),
    publicBaseUrl: "https://quotes.example/v1",
    webhooks: {
      sender: senderOf(parts, owner, die, undiciSender({ clock, resolveName: parts.resolveName })),
      ...(parts.retentionMs === null ? {} : { retentionMs: parts.retentionMs }),
    },
    resolveUser: ({ header }) => {
      const businessId = /^Bearer owner-of-(\d+)$/.exec(header("authorization") ?? "")?.[1];
      return businessId === undefined ? null : { businessId, userId: "1", role: "OWNER" };
    },
    onError: parts.onError,
  });
  const self: SimulatedProcess = { owner, service, death, startedAt, skewMs, die };
  const running = parts.tickMs === null ? service.start() : tick(parts, owner, service, parts.tickMs);
  running.catch((error: unknown) => {
    parts.onError(error);
    die("it cannot start");
  });
  scheduler.current = outer;
  trace.add(scheduler.steps, scheduler.now, owner.name, `starts, its clock ${skewMs} ms ahead`);
  return self;
}

/** A host that runs the service by its own scheduler. After a failed tick it waits for the next. */
async function tick(parts: ProcessParts, owner: Owner, service: BudgetService, everyMs: number): Promise<void> {
  for (;;) {
    await service.tick().catch(parts.onError);
    await service.webhooks.tick().catch(parts.onError);
    await parts.scheduler.pass(owner, "scheduler of the host", everyMs);
  }
}

/** The store of one process: every call is a step of the scheduler, and some have a fault. */
function storeOf(parts: ProcessParts, owner: Owner, die: (why: string) => void): Store {
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

/** The sender of one process, which may die before or after a call. */
function senderOf(
  { faults, trace, scheduler }: ProcessParts,
  owner: Owner,
  die: (why: string) => void,
  sender: WebhookSender,
): WebhookSender {
  return {
    ...sender,
    send: async (request) => {
      const fault = faults.ofSend();
      if (fault !== null) trace.add(scheduler.steps, scheduler.now, owner.name, `send (the sender: ${fault})`);
      if (fault === "cannot send") throw new StoreUnavailable("the sender fails");
      if (fault === "crash before sending") {
        die("before a call");
        return never();
      }
      const outcome = await sender.send(request);
      if (fault !== "crash after sending" || !owner.isAlive) return outcome;
      die("after a call");
      return never();
    },
  };
}

async function callStore(
  parts: ProcessParts,
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
  { scheduler, trace }: ProcessParts,
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
function never<T>(): Promise<T> {
  return new Promise(() => {});
}

/** True for the faults of the simulation, which the service reports as such. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isUnavailable);
  return error instanceof Error && error.name === "StoreUnavailable";
}
