import { isUnavailable } from "../world/process.js";
import { type Consumer, fail, type World } from "../world/world.js";

/** Starts the programs of the host that follow the events of their business until the seed ends. */
export function startConsumers(world: World): void {
  for (const consumer of world.consumers) {
    consumeEvents(world, consumer).catch((error: unknown) => fail(world, error));
  }
}

interface Batch {
  readonly events: readonly { readonly sequence: number }[];
  readonly cursor: number;
}

/** Continues on another process when its own dies. */
async function consumeEvents(world: World, consumer: Consumer): Promise<void> {
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

/** The only refusal that may occur: retention has removed events that the consumer had not read. */
function skip({ retentionMs }: World, consumer: Consumer, error: unknown): void {
  const { details } = (error as { problem?: { details?: { resumeAfter?: unknown } } }).problem ?? {};
  const resumeAfter = details?.resumeAfter;
  if (retentionMs === null || typeof resumeAfter !== "number") throw error;
  consumer.cursor = resumeAfter;
  consumer.removed = resumeAfter;
}
