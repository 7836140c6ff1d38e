import { expect, vi } from "vitest";
import type { SendOutcome } from "../webhooks/transport/sender.js";
import type { WebhookContext } from "../webhooks/webhook-context.js";
import { eventually, turns } from "./event-loop.js";
import { answered, type Script, type WebhookWorld, webhookWorld } from "./webhook-world.js";

/** A world whose dispatcher runs and has found that nothing is due; claims are counted from there. */
export async function idleWorld(script?: Script, overrides: Partial<WebhookContext> = {}) {
  const world = await webhookWorld(overrides, script);
  const { claimDue } = world.store;
  const claiming = vi.spyOn(world.store, "claimDue");
  const seeing = vi.spyOn(world.store, "nextDueAt");
  world.dispatcher.start();
  await eventually(() => expect(seeing).toHaveBeenCalled());
  await turns();
  claiming.mockClear();
  return { ...world, claimDue, claiming };
}

export async function commitAndWake({ commit, dispatcher }: WebhookWorld, count = 1): Promise<void> {
  for (let made = 0; made < count; made += 1) await commit({});
  dispatcher.wakeForEvents();
}

/** Ticks at each moment at which something falls due, until nothing waits any more. */
export async function runOut({ store, clock, dispatcher }: WebhookWorld): Promise<void> {
  await dispatcher.tick();
  for (let due = await store.nextDueAt(); due !== null; due = await store.nextDueAt()) {
    clock.set(Math.max(clock.now(), due));
    await dispatcher.tick();
  }
}

/** A receiver that responds when the test says so. */
export function patientReceiver() {
  const calls: ((outcome: SendOutcome) => void)[] = [];
  const script: Script = () => new Promise((resolve) => calls.push(resolve));
  return { calls, script };
}

/** A response after so many turns of the event loop. */
export async function answeredAfter(count: number): Promise<SendOutcome> {
  await turns(count);
  return answered(200);
}

/** Claims take a few turns of the event loop, in which calls end. */
export function claimSlowly({ store }: WebhookWorld): void {
  const { claimDue } = store;
  vi.spyOn(store, "claimDue").mockImplementation(async (claim) => {
    await turns(5);
    return claimDue(claim);
  });
}
