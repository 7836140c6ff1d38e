import { startConsumers } from "./actions/consume-events.js";
import { startClient } from "./actions/start-client.js";
import { countsOf } from "./activity.js";
import { checkAtRest } from "./checks/at-rest.js";
import { areUpToDate } from "./checks/consumers.js";
import { checkIdle } from "./checks/idle.js";
import { checkStep } from "./checks/invariants.js";
import { areReplaysRunning } from "./checks/replays.js";
import { Violation } from "./engine/violation.js";
import type { Disturbance, FaultKind } from "./world/faults.js";
import { WORLD_KINDS, type WorldName } from "./world/kinds.js";
import { prepare, type StoreName } from "./world/stores.js";
import { addProcess, begin, startProcesses, type World } from "./world/world.js";

export interface SimulationOptions {
  readonly seed: number;
  readonly world: WorldName;
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
  readonly seen: Readonly<Record<string, number>>; // how often something happened
}

const MOST_STEPS = 60_000;
const AT_ONCE = 5;

/** Runs one seed from its beginning to its rest. */
export async function simulate(options: SimulationOptions): Promise<Outcome> {
  const { seed, store: name, isTraced = false, clients = null, withoutFaults = new Set<FaultKind>() } = options;
  const kind = WORLD_KINDS[options.world];
  const world = await begin({ seed, kind, prepared: prepare(name, kind, seed), isTraced, withoutFaults });
  startConsumers(world);
  startProcesses(world);
  const [least, spread] = kind.clients;
  const count = least + world.scheduler.draw(spread);
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
      if (world.kind.isPunctual) await checkIdle(world);
      if (world.clients === 0 && scheduler.draw(2) === 0) await pause(world);
      else passTime(world, scheduler.draw(2) === 0 ? 0 : scheduler.draw(world.kind.mostIdleMs));
    }
    await afterStep(world);
    if (scheduler.steps > MOST_STEPS) throw new Violation("everything comes to rest", "the clients do not end");
  }
}

async function afterStep(world: World): Promise<void> {
  if (world.failure !== null) throw world.failure;
  await checkStep(world);
}

/** To the next task or timer, or by `atLeast` if that is later. */
function passTime({ scheduler }: World, atLeast: number): void {
  const next = scheduler.nextAt() ?? scheduler.now + 1;
  scheduler.now = Math.max(scheduler.now + atLeast, next);
}

/** A pause between clients: seconds, minutes, sometimes more than an hour. */
async function pause({ scheduler, store, receivers, kind }: World): Promise<void> {
  const spans = [1_000, 10_000, 60_000, 90_000, 1_000_000, 3_700_000];
  const until = scheduler.now + scheduler.draw(spans[scheduler.draw(spans.length)] ?? 1_000);
  if (!kind.isPunctual) scheduler.now = until;
  else if (receivers.openCalls().length === 0) {
    const dueAt = (await scheduler.outside(() => store.nextDueAt())) ?? until;
    scheduler.now = Math.max(scheduler.now, Math.min(until, dueAt));
  }
}

function disturb(world: World, disturbance: Disturbance): void {
  const { scheduler, faults, processes, trace, kind } = world;
  if (disturbance === "time passes") scheduler.now += faults.draw(faults.draw(4) === 0 ? kind.mostPassMs : 3_000);
  const living = processes.filter(({ owner }) => owner.isAlive);
  const process = living[faults.draw(Math.max(1, living.length))];
  if (process === undefined) return;
  if (disturbance === "crash") process.die("it is killed");
  if (disturbance === "clock jumps") {
    process.skewMs = faults.draw(8_000) - 4_000;
    trace.add(scheduler.steps, scheduler.now, process.owner.name, `its clock jumps to ${process.skewMs} ms ahead`);
  }
}

/** A supervisor replaces dead processes, at once or later. */
function reviveDead(world: World): void {
  const { scheduler, processes } = world;
  const living = processes.filter(({ owner }) => owner.isAlive).length;
  if (living < 2 && scheduler.draw(living === 0 ? 4 : 40) === 0) addProcess(world);
}

const ROUNDS = 2_000;

/** Runs without new faults until no event, delivery or replay waits. */
async function comeToRest(world: World): Promise<void> {
  const { scheduler, store, faults, receivers, processes, kind } = world;
  faults.end();
  if (kind.receiversMayHeal && scheduler.draw(2) === 0) receivers.isKind = true;
  let quiet = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    while (processes.filter(({ owner }) => owner.isAlive).length < 2) addProcess(world); // a fault may take effect late
    while (await scheduler.step()) await afterStep(world);
    if (world.kind.isPunctual) await checkIdle(world);
    const waiting = await scheduler.outside(async () => {
      const { events, deliveries } = await store.countBacklog(scheduler.now, 1_000);
      const isBusy = events + deliveries > 0 || !areUpToDate(world) || (await areReplaysRunning(world));
      return { isBusy, dueAt: await store.nextDueAt() };
    });
    quiet = waiting.isBusy || waiting.dueAt !== null ? 0 : quiet + 1;
    if (quiet > 1) return;
    // The processes poll every few seconds; a longer wait is one jump, after which each timer runs once.
    const next = scheduler.nextAt() ?? scheduler.now;
    const late = lateness(world);
    const due = waiting.isBusy || waiting.dueAt === null ? 0 : waiting.dueAt + late;
    const answers = kind.isPunctual ? receivers.openCalls().map(({ endsAt }) => endsAt) : [];
    scheduler.now = Math.max(next, Math.min(due, ...answers));
  }
  throw new Violation("every delivery ends", "the deliveries do not come to rest");
}

/** How long after a delivery is due the processes run again. */
function lateness({ scheduler, kind }: World): number {
  if (kind.isPunctual) return scheduler.draw(2_000);
  return scheduler.draw(2) === 0 ? scheduler.draw(60_000) : scheduler.draw(7_200_000);
}
