import { expect, it, vi } from "vitest";
import { MINUTE_MS } from "../../kernel/clock.js";
import { commitAndWake, idleWorld, patientReceiver } from "../../testing/dispatch-world.js";
import { eventually, holdTimers, turns } from "../../testing/event-loop.js";
import { answered, webhookWorld } from "../../testing/webhook-world.js";
import { createDispatcher } from "./dispatcher.js";
import type { TickSummary } from "./run-tick.js";

const nothing: TickSummary = { fannedOut: 0, delivered: 0, retrying: 0, failed: 0, cancelled: 0, pruned: 0 };

it("leases a delivery while it is sent", async () => {
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

it("takes over a delivery whose lease has lapsed, and counts the attempt that was cut off", async () => {
  const world = await webhookWorld();
  await world.endpoint({ retryDelaysSeconds: [0, 1] });
  await world.commit({});
  const dead = createDispatcher({ ...world.context, sender: { send: () => new Promise(() => {}) } });
  void dead.tick();
  await eventually(async () => expect(await world.deliveries()).toMatchObject([{ attempts: 1 }]));
  world.clock.advance(MINUTE_MS - 1);
  expect(await world.dispatcher.tick()).toEqual(nothing);
  world.clock.advance(1);
  void dead.tick();
  await eventually(async () => expect(await world.deliveries()).toMatchObject([{ attempts: 2 }]));
  world.clock.advance(MINUTE_MS);
  expect(await world.dispatcher.tick()).toEqual({ ...nothing, failed: 1 });
  expect(await world.deliveries()).toMatchObject([{ status: "failed", attempts: 2 }]);
  expect(world.sent).toEqual([]);
});

it("makes no call when the process was paused before it until another process may have the delivery", async () => {
  const world = await webhookWorld();
  await world.endpoint();
  await world.commit({});
  const { findEndpoint } = world.store;
  vi.spyOn(world.store, "findEndpoint").mockImplementationOnce(async (...of) => {
    const endpoint = await findEndpoint(...of);
    world.clock.advance(MINUTE_MS);
    expect(await createDispatcher(world.context).tick()).toEqual({ ...nothing, delivered: 1 }); // another process
    return endpoint;
  });
  expect(await world.dispatcher.tick()).toEqual({ ...nothing, fannedOut: 1 });
  expect(world.sent).toHaveLength(1);
  expect(await world.deliveries()).toMatchObject([{ status: "delivered", attempts: 2 }]);
});

it("counts no delivery that was taken over or cancelled during the call", async () => {
  const world = await webhookWorld();
  await world.endpoint();
  await world.commit({});
  world.answerWith(async () => {
    await world.store.cancelDeliveries("1", { kind: "endpoint", id: "60" }, world.clock.now(), 100);
    return answered(200);
  });
  expect(await world.dispatcher.tick()).toEqual({ ...nothing, fannedOut: 1 });
  expect(await world.deliveries()).toMatchObject([{ status: "cancelled" }]);
});

it("reports a delivery that it could not settle, and sends it again when the lease has lapsed", async () => {
  const world = await webhookWorld();
  await world.endpoint();
  await world.commit({});
  const settle = vi.spyOn(world.store, "settle").mockRejectedValueOnce(new Error("disk full"));
  expect(await world.dispatcher.tick()).toEqual({ ...nothing, fannedOut: 1 });
  expect(world.errors).toEqual([new Error("disk full")]);
  world.clock.advance(MINUTE_MS);
  expect(await world.dispatcher.tick()).toEqual({ ...nothing, delivered: 1 });
  expect(settle).toHaveBeenCalledTimes(2);
});

it("releases a delivery that has waited so long for its slot that its lease might not last for the call", async () => {
  holdTimers();
  const world = await webhookWorld({ concurrency: { total: 2, perBusiness: 2, perSubscriber: 1 } });
  await world.endpoint();
  for (let count = 0; count < 2; count += 1) await world.commit({});
  const { claimDue } = world.store;
  vi.spyOn(world.store, "claimDue").mockImplementationOnce((claim) => claimDue({ ...claim, perSubscriber: 2 }));
  const answers: (() => void)[] = [];
  world.answerWith(() => new Promise((resolve) => answers.push(() => resolve(answered(200)))));
  world.dispatcher.start();
  await turns();
  world.clock.advance(20_001); // a call may take 30 of the 60 seconds of the lease, and its settlement some
  for (const answer of answers) answer();
  await turns();
  const [first, second] = await world.deliveries();
  expect(first).toMatchObject({ status: "delivered" });
  expect(second).toMatchObject({ attempts: 1, lease: { until: world.clock.now() + MINUTE_MS } }); // claimed again
  const stopping = world.dispatcher.stop();
  for (const answer of answers) answer();
  await stopping;
});
