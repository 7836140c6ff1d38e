import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { answered, type Script, type WebhookWorld, webhookWorld } from "../testing/webhook-world.js";
import type { SendOutcome } from "./sender.js";

/** A world whose loop runs and has found that nothing is due; claims are counted from there. */
async function idleWorld(script?: Script) {
  const world = await webhookWorld({}, script);
  const { claimDue } = world.store;
  const claiming = vi.spyOn(world.store, "claimDue");
  const seeing = vi.spyOn(world.store, "nextDueAt");
  world.dispatcher.start();
  await eventually(() => expect(seeing).toHaveBeenCalled());
  await turns();
  claiming.mockClear();
  return { ...world, claimDue, claiming };
}

async function commitAndWake({ commit, dispatcher }: WebhookWorld, count = 1): Promise<void> {
  for (let made = 0; made < count; made += 1) await commit({});
  dispatcher.wakeForEvents();
}

/** A receiver that answers when it is told to. */
function patientReceiver() {
  const calls: ((outcome: SendOutcome) => void)[] = [];
  const script: Script = () => new Promise((resolve) => calls.push(resolve));
  return { calls, script };
}

describe("a delivery that finds a place when it is made", () => {
  it("is sent without a claim, and its attempt counts like any other", async () => {
    const world = await idleWorld();
    await world.endpoint();
    await world.key();
    await commitAndWake(world);
    await eventually(async () =>
      expect((await world.deliveries()).map(({ status }) => status)).toEqual(["delivered", "delivered"]),
    );
    expect(world.claiming).not.toHaveBeenCalled();
    for (const delivery of await world.deliveries()) {
      expect(delivery).toMatchObject({ attempts: 1, attemptsInRound: 1, lease: null });
      expect(await world.store.listAttempts("1", delivery.id)).toMatchObject([{ number: 1, responseCode: 204 }]);
    }
    await world.dispatcher.stop();
  });

  it("is under a lease while it is sent", async () => {
    const { calls, script } = patientReceiver();
    const world = await idleWorld(script);
    await world.endpoint();
    await commitAndWake(world);
    await eventually(() => expect(calls).toHaveLength(1));
    expect(await world.deliveries()).toMatchObject([
      { status: "pending", attempts: 1, lease: { until: world.clock.now() + 60_000 } },
    ]);
    calls[0]?.(answered(204));
    await world.dispatcher.stop();
  });

  it("comes back by its schedule when the call fails", async () => {
    const world = await idleWorld((_, call) => answered(call === 1 ? 500 : 204));
    await world.endpoint({ retryDelaysSeconds: [0, 60] });
    await commitAndWake(world);
    await eventually(async () => expect(await world.deliveries()).toMatchObject([{ status: "retrying", attempts: 1 }]));
    world.clock.advance(90_000);
    world.dispatcher.wake();
    await eventually(async () =>
      expect(await world.deliveries()).toMatchObject([{ status: "delivered", attempts: 2 }]),
    );
    await world.dispatcher.stop();
  });

  it("is not sent to somebody who went away while it was being added", async () => {
    const world = await idleWorld();
    const endpoint = await world.endpoint();
    const { fanOut } = world.store;
    vi.spyOn(world.store, "fanOut").mockImplementation(async (event, deliveries) => {
      await world.store.replaceEndpoint({ ...endpoint, status: "DISABLED", version: 2 }, 1);
      return fanOut(event, deliveries);
    });
    await commitAndWake(world);
    await eventually(async () =>
      expect(await world.deliveries()).toMatchObject([{ status: "cancelled", attempts: 0 }]),
    );
    expect(world.sent).toEqual([]);
    await world.dispatcher.stop();
  });

  it("is sent by nobody when it was not added, and leaves its place to others", async () => {
    const world = await idleWorld();
    await world.endpoint();
    const { fanOut } = world.store;
    let refused = 0;
    vi.spyOn(world.store, "fanOut").mockImplementation((event, deliveries) => {
      refused += 1;
      if (refused <= 5) return Promise.resolve("taken");
      return refused <= 10 ? Promise.reject(new Error("away")) : fanOut(event, deliveries);
    });
    await commitAndWake(world, 10); // ten times what a subscriber has places for, by twos
    await eventually(() => expect(world.errors.length).toBeGreaterThan(0));
    await turns();
    expect(world.sent).toEqual([]);
    world.dispatcher.wake();
    await eventually(() => expect(world.sent).toHaveLength(10));
    expect((await world.deliveries()).every(({ attempts }) => attempts === 1)).toBe(true);
    await world.dispatcher.stop();
  });

  it("goes back to who comes next when the dispatcher is stopped before the call", async () => {
    const world = await idleWorld();
    await world.endpoint();
    let stopping: Promise<void> | undefined;
    const { fanOut } = world.store;
    vi.spyOn(world.store, "fanOut").mockImplementation(async (event, deliveries) => {
      const outcome = await fanOut(event, deliveries);
      stopping = world.dispatcher.stop();
      return outcome;
    });
    await commitAndWake(world);
    await eventually(() => expect(stopping).toBeDefined());
    await stopping;
    expect(world.sent).toEqual([]);
    expect(await world.deliveries()).toMatchObject([
      { status: "pending", attempts: 0, lease: null, nextAttemptAt: world.clock.now() },
    ]);
  });
});

describe("a delivery that finds no place when it is made", () => {
  it("waits to be claimed: a subscriber has no more calls at once than it may have", async () => {
    const { calls, script } = patientReceiver();
    const world = await idleWorld(script);
    await world.endpoint();
    await commitAndWake(world, 8);
    await eventually(() => expect(calls).toHaveLength(5));
    await turns();
    expect(calls).toHaveLength(5);
    expect((await world.deliveries()).filter(({ lease }) => lease === null)).toHaveLength(3);
    for (let answer = 0; answer < 8; answer += 1) {
      await eventually(() => expect(calls.length).toBeGreaterThan(answer));
      calls[answer]?.(answered(204));
    }
    await eventually(async () =>
      expect((await world.deliveries()).every(({ status }) => status === "delivered")).toBe(true),
    );
    await world.dispatcher.stop();
  });

  it("is overtaken by none that is made after it, though a place falls free first", async () => {
    const { calls, script } = patientReceiver();
    const world = await idleWorld(script);
    await world.endpoint();
    await commitAndWake(world, 7);
    await eventually(() => expect(calls).toHaveLength(5));
    await turns();
    let letClaim = (): void => {};
    const claimable = new Promise<void>((resolve) => {
      letClaim = resolve;
    });
    world.claiming.mockImplementation(async (claim) => {
      await claimable;
      return world.claimDue(claim);
    });
    calls[0]?.(answered(204));
    await commitAndWake(world, 2);
    await eventually(async () => expect(await world.deliveries()).toHaveLength(9));
    await turns();
    letClaim();
    for (let answer = 1; answer < 9; answer += 1) {
      await eventually(() => expect(calls.length).toBeGreaterThan(answer));
      calls[answer]?.(answered(204));
    }
    const made = (await world.deliveries()).map(({ id }) => id);
    expect(world.sent.map(({ headers }) => headers["webhook-id"])).toEqual(made);
    await world.dispatcher.stop();
  });

  it("keeps to the places of its business and to those of all", async () => {
    for (const caps of [
      { total: 3, perBusiness: 50, perSubscriber: 5 },
      { total: 50, perBusiness: 3, perSubscriber: 5 },
    ]) {
      const { calls, script } = patientReceiver();
      const world = await webhookWorld({ concurrency: caps }, script);
      for (const id of ["60", "61"]) await world.endpoint({ id });
      world.dispatcher.start();
      await turns();
      await commitAndWake(world, 3); // six deliveries
      await eventually(() => expect(calls).toHaveLength(3));
      await turns();
      expect(calls).toHaveLength(3);
      for (let answer = 0; answer < 6; answer += 1) {
        await eventually(() => expect(calls.length).toBeGreaterThan(answer));
        calls[answer]?.(answered(204));
      }
      await world.dispatcher.stop();
    }
  });
});

/** Waits until it holds, for as long as a busy machine may take. */
function eventually(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 20_000, interval: 5 });
}

/** Lets everything run that waits for nothing but its turn. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await nextTurn();
}
