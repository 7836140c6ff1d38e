import { setImmediate as nextTurn } from "node:timers/promises";
import { aDelivery } from "@budgetkit/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { answered, type Script, type WebhookWorld, webhookWorld } from "../../testing/webhook-world.js";
import type { SendOutcome } from "../transport/sender.js";
import type { WebhookContext } from "../webhook-context.js";
import { createSubscriptionLoader } from "./subscription-loader.js";

/** A world whose loop runs and has found that nothing is due; claims are counted from there. */
async function idleWorld(script?: Script, overrides: Partial<WebhookContext> = {}) {
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

async function commitAndWake({ commit, dispatcher }: WebhookWorld, count = 1): Promise<void> {
  for (let made = 0; made < count; made += 1) await commit({});
  dispatcher.wakeForEvents();
}

/** A receiver that responds when the test says so. */
function patientReceiver() {
  const calls: ((outcome: SendOutcome) => void)[] = [];
  const script: Script = () => new Promise((resolve) => calls.push(resolve));
  return { calls, script };
}

describe("a delivery of an event", () => {
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

  it("is not sent to a subscriber that was removed during the insertion", async () => {
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

  it("is not sent when it was not inserted", async () => {
    const world = await idleWorld();
    await world.endpoint();
    const { fanOut } = world.store;
    let refused = 0;
    vi.spyOn(world.store, "fanOut").mockImplementation((event, deliveries) => {
      refused += 1;
      if (refused <= 5) return Promise.resolve("taken");
      return refused <= 10 ? Promise.reject(new Error("away")) : fanOut(event, deliveries);
    });
    await commitAndWake(world, 10); // ten times the slots of a subscriber, in pairs
    await eventually(() => expect(world.errors.length).toBeGreaterThan(0));
    await turns();
    expect(world.sent).toEqual([]);
    world.dispatcher.wake();
    await eventually(() => expect(world.sent).toHaveLength(10));
    expect((await world.deliveries()).every(({ attempts }) => attempts === 1)).toBe(true);
    await world.dispatcher.stop();
  });

  it("is left to who comes next when the dispatcher is stopped before the call", async () => {
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

describe("a delivery without a slot", () => {
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

  it("is not overtaken by a later one, even if a slot becomes free before", async () => {
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

  it("keeps to the slots of its business and to those in all", async () => {
    for (const limits of [
      { total: 3, perBusiness: 50, perSubscriber: 5 },
      { total: 50, perBusiness: 3, perSubscriber: 5 },
    ]) {
      const { calls, script } = patientReceiver();
      const world = await webhookWorld({ concurrency: limits }, script);
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

describe("with a clock whose alarm never rings", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  /** A world that has come to rest, with an endpoint and a receiver that the test controls. */
  async function patientWorld(perSubscriber: number, total = 10) {
    const { calls, script } = patientReceiver();
    const world = await idleWorld(script, { concurrency: { total, perBusiness: total, perSubscriber } });
    await world.endpoint();
    return { ...world, calls };
  }

  const due = (world: WebhookWorld) =>
    world.store.insertDelivery(
      aDelivery({ subscriber: { kind: "endpoint", id: "60" }, nextAttemptAt: world.clock.now() }),
    );

  /** Responds to all open calls, and stops. */
  async function end(world: Awaited<ReturnType<typeof patientWorld>>): Promise<void> {
    world.answerWith(() => answered(204));
    for (const answer of world.calls) answer(answered(204));
    await world.dispatcher.stop();
  }

  it("a delivery that fell due while all slots were in use gets the first free one", async () => {
    const world = await patientWorld(2, 2);
    await commitAndWake(world, 2);
    await turns();
    expect(world.calls).toHaveLength(2);
    await due(world);
    world.dispatcher.wake();
    await turns();
    world.calls[0]?.(answered(204));
    await commitAndWake(world);
    await turns();
    expect(world.sent[2]?.headers["webhook-id"]).toBe("70");
    await end(world);
  });

  it.each([0, 1, 2, 4, 8, 16])(
    "a delivery that a claim left out gets the slot of a call that ended %s turns before the response",
    async (before) => {
      const world = await patientWorld(1);
      await commitAndWake(world);
      await turns();
      await due(world);
      const gate = deferred();
      world.claiming.mockImplementationOnce(async (claim) => {
        const claimed = await world.claimDue(claim);
        await gate.promise;
        return claimed;
      });
      world.dispatcher.wake();
      await turns();
      expect(world.calls).toHaveLength(1);
      world.calls[0]?.(answered(204));
      for (let turn = 0; turn < before; turn += 1) await null;
      gate.open();
      await turns();
      expect(world.calls).toHaveLength(2);
      await end(world);
    },
  );

  it("what waits while settlements pile up is begun when they are done", async () => {
    const world = await idleWorld(undefined, { concurrency: { total: 2, perBusiness: 2, perSubscriber: 2 } });
    await world.endpoint();
    const { settle } = world.store;
    const gate = deferred();
    vi.spyOn(world.store, "settle").mockImplementation(async (settlement) => {
      await gate.promise;
      return settle(settlement);
    });
    await commitAndWake(world, 9);
    await turns();
    expect(world.sent).toHaveLength(6);
    gate.open();
    await turns();
    expect(world.sent).toHaveLength(9);
    await world.dispatcher.stop();
  });

  it("what a claim had no room for beside settlements is begun though some of them end while it is made", async () => {
    const { calls, script } = patientReceiver();
    const world = await idleWorld(() => answered(204), { concurrency: { total: 2, perBusiness: 2, perSubscriber: 2 } });
    await world.endpoint();
    const { settle } = world.store;
    const gates = [deferred(), deferred(), deferred()];
    let settled = 0;
    vi.spyOn(world.store, "settle").mockImplementation(async (settlement) => {
      const gate = gates[settled];
      settled += 1;
      await gate?.promise;
      return settle(settlement);
    });
    await commitAndWake(world, 3);
    await turns();
    expect(settled).toBe(3); // of four that may run
    world.answerWith(script);
    const gate = deferred();
    world.claiming.mockImplementationOnce(async (claim) => {
      const claimed = await world.claimDue(claim);
      await gate.promise;
      return claimed;
    });
    for (let id = 70; id < 74; id += 1) {
      const subscriber = { kind: "endpoint", id: "60" } as const;
      await world.store.insertDelivery(aDelivery({ id: String(id), subscriber, nextAttemptAt: world.clock.now() }));
    }
    world.dispatcher.wake();
    await turns();
    gates[0]?.open();
    await turns();
    gate.open();
    await turns();
    gates[1]?.open();
    gates[2]?.open();
    await turns();
    expect(calls).toHaveLength(2);
    world.answerWith(() => answered(204));
    for (const answer of calls) answer(answered(204));
    await turns();
    expect(world.sent).toHaveLength(7);
    await world.dispatcher.stop();
  });

  it("stop prevents calls of deliveries that have no slot yet", async () => {
    const world = await idleWorld();
    await world.endpoint();
    const { findSubscribers } = world.store;
    const gate = deferred();
    vi.spyOn(world.store, "findSubscribers").mockImplementation(async (businessId) => {
      await gate.promise;
      return findSubscribers(businessId);
    });
    await commitAndWake(world);
    await turns();
    const stopping = world.dispatcher.stop();
    await turns();
    gate.open();
    await stopping;
    await turns();
    expect(world.sent).toEqual([]);
    expect(await world.deliveries()).toMatchObject([{ status: "pending", attempts: 0, lease: null }]);
  });

  it("a delivery whose fan-out gave no answer is claimed, and no attempt is lost", async () => {
    const world = await idleWorld();
    await world.endpoint({ retryDelaysSeconds: [0] });
    const { fanOut } = world.store;
    vi.spyOn(world.store, "fanOut").mockImplementationOnce(async (event, deliveries) => {
      await fanOut(event, deliveries);
      throw new Error("the answer was lost");
    });
    await commitAndWake(world);
    await turns();
    expect(world.errors).toEqual([new Error("the answer was lost")]);
    expect(await world.deliveries()).toMatchObject([{ status: "delivered", attempts: 1 }]);
    await world.dispatcher.stop();
  });

  it("a store that throws instead of rejecting lets the dispatcher go on and stop", async () => {
    const world = await idleWorld(undefined, { concurrency: { total: 1, perBusiness: 1, perSubscriber: 1 } });
    await world.endpoint();
    vi.spyOn(world.store, "fanOut").mockImplementationOnce(() => {
      throw new Error("at once");
    });
    await commitAndWake(world);
    await turns();
    expect(world.sent).toEqual([]);
    world.dispatcher.wake();
    await turns();
    expect(world.sent).toHaveLength(1);
    await world.dispatcher.stop();
  });
});

describe("the subscription of a delivery", () => {
  it("is looked up once for concurrent calls, and again for a later call", async () => {
    const world = await webhookWorld();
    const endpoint = await world.endpoint();
    const finding = vi.spyOn(world.store, "findEndpoint");
    const load = createSubscriptionLoader(world.context);
    const delivery = aDelivery({ subscriber: { kind: "endpoint", id: "60" } });
    expect(await Promise.all([load(delivery), load(delivery)])).toMatchObject([{ endpoint }, { endpoint }]);
    expect(finding).toHaveBeenCalledTimes(1);
    await world.store.replaceEndpoint({ ...endpoint, status: "DISABLED", version: 2 }, 1);
    expect(await load(delivery)).toBeNull();
  });

  it("is looked up again in a later turn, however long the first lookup takes", async () => {
    const world = await webhookWorld();
    const endpoint = await world.endpoint();
    const { findEndpoint } = world.store;
    const gate = deferred();
    vi.spyOn(world.store, "findEndpoint").mockImplementationOnce(async (...id) => {
      const found = await findEndpoint(...id);
      await gate.promise;
      return found;
    });
    const load = createSubscriptionLoader(world.context);
    const delivery = aDelivery({ subscriber: { kind: "endpoint", id: "60" } });
    const first = load(delivery);
    await turns();
    await world.store.replaceEndpoint({ ...endpoint, status: "DISABLED", version: 2 }, 1);
    expect(await load(delivery)).toBeNull();
    gate.open();
    expect(await first).not.toBeNull();
  });
});

function deferred(): { readonly promise: Promise<void>; open(): void } {
  let open = (): void => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open: () => open() };
}

/** Waits until it holds, for as long as a busy machine may take. */
function eventually(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 20_000, interval: 5 });
}

/** Lets everything run that waits for nothing but its turn. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await nextTurn();
}
