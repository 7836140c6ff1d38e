import { Violation } from "../engine/violation.js";
import type { World } from "../world/world.js";

const POLL_MS = 2_000; // of a service that runs on its own: docs/webhooks.md
const LOOKS = 5; // that may pass until a delivery begins: the store may fail some
const CALLS_OF_A_SUBSCRIBER = 5; // that one process makes at once: docs/webhooks.md

/**
 * Checked when nothing can run at this time. Due deliveries have begun, unless all processes are new, or one subscriber
 * may have all the calls that it may have at once.
 */
export async function checkIdle(world: World): Promise<void> {
  const { scheduler, store, processes, receivers, tickMs } = world;
  if (receivers.openCalls().length >= CALLS_OF_A_SUBSCRIBER) return;
  const dueAt = await scheduler.outside(() => store.nextDueAt());
  world.turnWaitsSince = dueAt === 0 ? (world.turnWaitsSince ?? scheduler.now) : null;
  const waitsSince = world.turnWaitsSince ?? dueAt;
  const isLate = (at: number) => at < scheduler.now - LOOKS * (tickMs ?? POLL_MS);
  if (waitsSince === null || !isLate(waitsSince)) return;
  if (processes.some(({ owner, startedAt }) => owner.isAlive && isLate(startedAt)))
    throw new Violation("what is due begins", `a delivery waits for ${scheduler.now - waitsSince} ms`);
}
