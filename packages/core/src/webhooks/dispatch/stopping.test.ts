import { expect, it, vi } from "vitest";
import { commitAndWake, idleWorld } from "../../testing/dispatch-world.js";
import { createGate, eventually, holdTimers, turns } from "../../testing/event-loop.js";
import { isPending } from "../../testing/is-pending.js";
import { answered, ENDPOINT_URL, webhookWorld } from "../../testing/webhook-world.js";
import { createDispatcher } from "./dispatcher.js";
import type { TickSummary } from "./run-tick.js";

const nothing: TickSummary = { fannedOut: 0, delivered: 0, retrying: 0, failed: 0, cancelled: 0, pruned: 0 };

it("waits on stop for the calls in flight, and starts nothing more", async () => {
  const world = await webhookWorld();
  await world.endpoint();
  for (let count = 0; count < 20; count += 1) await world.commit({});
  const open: (() => void)[] = [];
  world.answerWith(() => new Promise((resolve) => open.push(() => resolve(answered(200)))));
  world.dispatcher.start();
  await eventually(() => expect(open.length).toBeGreaterThanOrEqual(4));
  let stopped = false;
  const stopping = world.dispatcher.stop().then(() => {
    stopped = true;
  });
  await turns();
  expect(stopped).toBe(false);
  const begun = open.length;
  for (const answer of open) answer();
  await stopping;
  expect(open).toHaveLength(begun);
  const statuses = (await world.deliveries()).map(({ status }) => status);
  expect(statuses.filter((status) => status === "delivered")).toHaveLength(begun);
  expect(statuses.filter((status) => status === "pending")).toHaveLength(20 - begun);
});

it("claims nothing more in a tick once it is stopped, and waits for the calls of the tick", async () => {
  const world = await webhookWorld();
  await world.endpoint();
  for (let count = 0; count < 20; count += 1) await world.commit({});
  const open: (() => void)[] = [];
  world.answerWith(() => new Promise((resolve) => open.push(() => resolve(answered(200)))));
  const ticking = world.dispatcher.tick();
  await eventually(() => expect(open).toHaveLength(5));
  const stopping = world.dispatcher.stop();
  expect(await isPending(stopping)).toBe(true);
  for (const answer of open) answer();
  expect(await ticking).toEqual({ ...nothing, fannedOut: 20, delivered: 5 });
  await stopping;
  expect(open).toHaveLength(5);
  world.answerWith(() => answered(200));
  expect(await world.dispatcher.tick()).toEqual({ ...nothing, delivered: 15 });
});

it("releases claimed deliveries without a call on stop: due at once, and the claims do not count", async () => {
  const world = await webhookWorld();
  await world.endpoint();
  await world.key();
  for (let count = 0; count < 3; count += 1) await world.commit({});
  const { findEndpoint } = world.store;
  const looking: (() => void)[] = [];
  vi.spyOn(world.store, "findEndpoint").mockImplementation(async (...of) => {
    await new Promise<void>((resolve) => looking.push(resolve));
    return findEndpoint(...of);
  });
  const ticking = world.dispatcher.tick();
  await eventually(() => expect(looking).toHaveLength(1));
  const stopping = world.dispatcher.stop();
  for (const found of looking) found();
  await Promise.all([ticking, stopping]);
  const ofEndpoint = async () => (await world.deliveries()).filter(({ subscriber }) => subscriber.kind === "endpoint");
  expect(await ofEndpoint()).toHaveLength(3);
  for (const delivery of await ofEndpoint()) {
    expect(delivery).toMatchObject({ status: "pending", attempts: 0, attemptsSinceRestart: 0, lease: null });
  }
  vi.mocked(world.store.findEndpoint).mockRestore();
  expect(world.sent.filter(({ url }) => url === ENDPOINT_URL)).toHaveLength(0);
  const after = createDispatcher(world.context); // at the same moment: no lease is waited for
  expect(await after.tick()).toMatchObject({ delivered: 3 });
  expect((await ofEndpoint()).map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
});

it("fans out no further in a tick once it is stopped; a tick that fails does not disturb the stop", async () => {
  const world = await webhookWorld();
  await world.endpoint();
  for (let count = 0; count < 60; count += 1) await world.commit({});
  const { findUndispatchedEvents } = world.store;
  const finding = vi.spyOn(world.store, "findUndispatchedEvents");
  let stopping: Promise<void> | null = null;
  finding.mockImplementation((...limits) => {
    stopping ??= world.dispatcher.stop();
    return findUndispatchedEvents(...limits);
  });
  expect(await world.dispatcher.tick()).toEqual(nothing);
  await stopping;
  expect(finding).toHaveBeenCalledTimes(1);
  finding.mockRejectedValueOnce(new Error("away"));
  const failing = world.dispatcher.tick();
  await Promise.all([world.dispatcher.stop(), expect(failing).rejects.toThrow("away")]);
});

it("leaves a delivery to the next process when it is stopped before the call", async () => {
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

it("makes no call on stop for deliveries that have no slot yet", async () => {
  holdTimers();
  const world = await idleWorld();
  await world.endpoint();
  const { findSubscribers } = world.store;
  const gate = createGate();
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
