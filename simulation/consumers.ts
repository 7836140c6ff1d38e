import { isUnavailable } from "./process.js";
import type { Tenant } from "./tenants.js";
import { Violation } from "./violation.js";
import type { World } from "./world.js";

/** A program of the host that reads the events of a business with a cursor of its own, which survives every crash. */
export interface Consumer {
  readonly tenant: Tenant;
  readonly taken: number[]; // sequences
  cursor: number;
  removed: number; // up to this entry, retention removed some before they were read
}

interface Batch {
  readonly events: readonly { readonly sequence: number }[];
  readonly cursor: number;
}

/** Reads until the seed ends: on another process whenever its own dies. */
export async function consumeEvents(world: World, consumer: Consumer): Promise<void> {
  const { scheduler, processes } = world;
  const actor = { kind: "system", businessId: consumer.tenant.businessId } as const;
  for (;;) {
    await scheduler.pass(null, "a consumer begins", scheduler.draw(30_000));
    const living = processes.filter(({ owner }) => owner.isAlive);
    const process = living[scheduler.draw(Math.max(1, living.length))];
    if (process === undefined) continue;
    scheduler.current = process.owner;
    const batches = process.service.events.follow(actor, { after: consumer.cursor });
    try {
      for (;;) {
        const next = await Promise.race([batches.next(), process.death]);
        if (next === "dead" || next.done === true) break;
        take(world, consumer, next.value);
        scheduler.current = process.owner;
      }
    } catch (error) {
      if (!isUnavailable(error)) skip(world, consumer, error);
    }
  }
}

function take({ trace, scheduler }: World, consumer: Consumer, { events, cursor }: Batch): void {
  const { name } = consumer.tenant;
  trace.add(scheduler.steps, scheduler.now, `consumer ${name}`, `takes ${events.length} events, up to entry ${cursor}`);
  consumer.taken.push(...events.map(({ sequence }) => sequence));
  consumer.cursor = cursor;
}

/** The only refusal: retention was faster than the consumer. */
function skip({ retentionMs }: World, consumer: Consumer, error: unknown): void {
  const { details } = (error as { problem?: { details?: { resumeAfter?: unknown } } }).problem ?? {};
  const resumeAfter = details?.resumeAfter;
  if (retentionMs === null || typeof resumeAfter !== "number") throw error;
  consumer.cursor = resumeAfter;
  consumer.removed = resumeAfter;
}

/** Whether each consumer has read all that there is. */
export function areUpToDate({ consumers, ledgers }: World): boolean {
  return consumers.every(({ tenant, cursor }) => cursor === (ledgers.get(tenant.businessId)?.length ?? 0));
}

/** A consumer takes every event once and in order; what it missed, retention had removed. */
export async function checkConsumers({ consumers, ledgers, store }: World): Promise<void> {
  for (const { tenant, taken, removed } of consumers) {
    const entries = ledgers.get(tenant.businessId) ?? [];
    const isEvent = (sequence: number) => /^(budget|customer|product)\./.test(entries[sequence - 1]?.type ?? "");
    const all = entries.map((_, index) => index + 1).filter(isEvent);
    const { start } = await store.findLedgerBounds(tenant.businessId);
    if (removed > (start?.sequence ?? 0))
      throw new Violation("a consumer takes every event once", `${removed} is there`);
    const wrong = taken.find((sequence, index) => sequence <= (taken[index - 1] ?? 0) || !isEvent(sequence));
    const missed = all.find((sequence) => sequence > removed && !taken.includes(sequence));
    if (wrong !== undefined || missed !== undefined) {
      const what = wrong === undefined ? `event ${missed} was never taken` : `event ${wrong} came again or too late`;
      throw new Violation("a consumer takes every event once", `${tenant.name}: ${what}`);
    }
  }
}
