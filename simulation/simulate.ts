import { checkAtRest } from "./at-rest.js";
import { areUpToDate } from "./consumers.js";
import type { FaultKind } from "./faults.js";
import { checkStep } from "./invariants.js";
import { areReplaysRunning } from "./replays.js";
import { startClient } from "./start-client.js";
import { prepare, type StoreName } from "./stores.js";
import { Violation } from "./violation.js";
import { addProcess, begin, type World } from "./world.js";

export interface SimulationOptions {
  readonly seed: number;
  readonly store: StoreName;
  readonly isTraced?: boolean;
  /** The clients that take part; null = all. */
  readonly clients?: ReadonlySet<number> | null;
  readonly withoutFaults?: ReadonlySet<FaultKind>;
}

export interface Outcome {
  readonly seed: number;
  readonly violation: Violation | null;
  readonly fingerprint: string; // of everything that happened
  readonly steps: number;
  readonly clients: number;
  readonly trace: string; // empty unless traced
  readonly seen: Readonly<Record<string, number>>; // how often what happened
}

const MOST_STEPS = 60_000;
const AT_ONCE = 5;

/** Runs one seed from its beginning to its rest. */
export async function simulate(options: SimulationOptions): Promise<Outcome> {
  const { seed, store: name, isTraced = false, clients = null, withoutFaults = new Set<FaultKind>() } = options;
  const world = await begin({ seed, prepared: prepare(name, seed), isTraced, withoutFaults });
  const count = 14 + world.scheduler.draw(14);
  let violation: Violation | null = null;
  try {
    await liveThrough(world, count, clients);
    await comeToRest(world);
    await world.scheduler.outside(() => checkAtRest(world));
  } catch (error) {
    violation = error instanceof Violation ? error : new Violation("no unexpected failure", stackOf(error));
    world.trace.add(world.scheduler.steps, world.scheduler.now, "VIOLATION", violation.message);
  }
  world.close();
  const { trace, scheduler } = world;
  const seen = countsOf(world);
  return {
    seed,
    violation,
    fingerprint: trace.fingerprint(),
    steps: scheduler.steps,
    clients: count,
    trace: trace.print(),
    seen,
  };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The clients come one after the other, a few at a time, while faults happen. */
async function liveThrough(world: World, count: number, taking: ReadonlySet<number> | null): Promise<void> {
  const { scheduler, faults } = world;
  let next = 0;
  while (next < count || world.clients > 0) {
    const disturbance = faults.ofStep();
    if (disturbance !== null) disturb(world, disturbance);
    reviveDead(world);
    if (next < count && world.clients < AT_ONCE && scheduler.draw(8) === 0) {
      if (taking === null || taking.has(next)) startClient(world, next);
      next += 1;
      await scheduler.rest();
    } else if (!(await scheduler.step())) {
      if (world.clients === 0 && scheduler.draw(2) === 0) await pause(world);
      else passTime(world, scheduler.draw(2) === 0 ? 0 : scheduler.draw(6_000));
    }
    await afterStep(world);
    if (scheduler.steps > MOST_STEPS) throw new Violation("everything comes to rest", "the clients do not end");
  }
}

async function afterStep(world: World): Promise<void> {
  if (world.failure !== null) throw world.failure;
  await checkStep(world);
}

/** To the next task or timer exactly, or past it, when `atLeast` leads further. */
function passTime({ scheduler }: World, atLeast: number): void {
  const next = scheduler.nextAt() ?? scheduler.now + 1;
  scheduler.now = Math.max(scheduler.now + atLeast, next);
}

/** A while in which nothing happens: seconds, minutes, now and then more than an hour. */
async function pause({ scheduler }: World): Promise<void> {
  const spans = [1_000, 10_000, 60_000, 90_000, 1_000_000, 3_700_000];
  scheduler.now += scheduler.draw(spans[scheduler.draw(spans.length)] ?? 1_000);
}

function disturb(world: World, disturbance: "crash" | "clock jumps" | "time passes"): void {
  const { scheduler, faults, processes, trace } = world;
  if (disturbance === "time passes") scheduler.now += faults.draw(4) === 0 ? faults.draw(70_000) : faults.draw(3_000);
  const living = processes.filter(({ owner }) => owner.isAlive);
  const process = living[faults.draw(Math.max(1, living.length))];
  if (process === undefined) return;
  if (disturbance === "crash") process.die("it is killed");
  if (disturbance === "clock jumps") {
    process.skewMs = faults.draw(8_000) - 4_000;
    trace.add(scheduler.steps, scheduler.now, process.owner.name, `its clock jumps to ${process.skewMs} ms ahead`);
  }
}

/** A supervisor starts another process for each that died, at once or after a while. */
function reviveDead(world: World): void {
  const { scheduler, processes } = world;
  const living = processes.filter(({ owner }) => owner.isAlive).length;
  if (living < 2 && scheduler.draw(living === 0 ? 4 : 40) === 0) addProcess(world);
}

const ROUNDS = 400;

/** Without further faults, until nothing waits: no event, no delivery, no overdue budget. */
async function comeToRest(world: World): Promise<void> {
  const { scheduler, store, faults, receivers, processes } = world;
  faults.end();
  if (scheduler.draw(2) === 0) receivers.isKind = true;
  while (processes.filter(({ owner }) => owner.isAlive).length < 2) addProcess(world);
  let quiet = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    while (await scheduler.step()) await afterStep(world);
    const waiting = await scheduler.outside(async () => {
      const { events, deliveries } = await store.countBacklog(scheduler.now, 1_000);
      const isBusy = events + deliveries > 0 || !areUpToDate(world) || (await areReplaysRunning(world));
      return { isBusy, dueAt: await store.nextDueAt() };
    });
    quiet = waiting.isBusy || waiting.dueAt !== null ? 0 : quiet + 1;
    if (quiet > 1) return;
    // The processes poll every few seconds; a longer wait is one jump, after which each timer runs once.
    const next = scheduler.nextAt() ?? scheduler.now;
    const late = scheduler.draw(2) === 0 ? scheduler.draw(60_000) : scheduler.draw(7_200_000);
    scheduler.now = Math.max(next, waiting.isBusy || waiting.dueAt === null ? 0 : waiting.dueAt + late);
  }
  throw new Violation("every delivery ends", "the deliveries do not come to rest");
}

function countsOf({ exchanges, receivers, processes, model, consumers }: World): Record<string, number> {
  const seen: Record<string, number> = {};
  const add = (what: string) => {
    seen[what] = (seen[what] ?? 0) + 1;
  };
  for (const { action, status } of exchanges) add(`${action} ${status ?? "lost"}`);
  for (const { status } of receivers.calls) add(`callback ${status ?? "broken"}`);
  for (const { owner } of processes) add(owner.isAlive ? "process" : "crash");
  for (const { taken, removed } of consumers)
    add(`consumer ${removed > 0 ? "behind retention" : taken.length > 0 ? "with events" : "without"}`);
  for (const { status } of model.budgets.values()) add(`budget ${status}`);
  return seen;
}
