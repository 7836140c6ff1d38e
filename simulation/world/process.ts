import {
  type BudgetService,
  createBudgetService,
  StoreUnavailable,
  undiciSender,
  type WebhookSender,
} from "@budgetkit/core";
import { seededRandom } from "@budgetkit/testing";
import type { Owner } from "../engine/scheduler.js";
import { faultyStore, never, type StoreParts } from "./faulty-store.js";
import { SECRET } from "./tenants.js";

/** What all processes of a seed share. */
export interface ProcessParts extends StoreParts {
  readonly seed: number;
  readonly retentionMs: number | null;
  readonly tickMs: number | null; // between the ticks of a host with a scheduler; null = the service runs on its own
  readonly resolveName: (hostname: string) => Promise<readonly { address: string; family: number }[]>;
  readonly onError: (error: unknown) => void;
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
    store: faultyStore(parts, owner, die),
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

/** True for the faults of the simulation, which the service reports as such. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isUnavailable);
  return error instanceof Error && error.name === "StoreUnavailable";
}
