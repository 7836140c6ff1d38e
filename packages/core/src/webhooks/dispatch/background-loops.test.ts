import { expect, it, vi } from "vitest";
import { commitAndWake, idleWorld } from "../../testing/dispatch-world.js";
import { eventually, holdTimers, turns } from "../../testing/event-loop.js";
import { answered, webhookWorld } from "../../testing/webhook-world.js";

it("delivers waiting events when it is started, and new ones as soon as it is woken", async () => {
  const world = await webhookWorld();
  await world.endpoint();
  await world.commit({});
  world.dispatcher.start();
  await eventually(() => expect(world.sent).toHaveLength(1));
  await world.commit({});
  world.dispatcher.wake();
  await eventually(() => expect(world.sent).toHaveLength(2));
  await world.dispatcher.stop();
  expect((await world.deliveries()).map(({ status }) => status)).toEqual(["delivered", "delivered"]);
});

it("sends nothing before the dispatcher is started and after it was stopped", async () => {
  holdTimers();
  const world = await webhookWorld();
  await world.endpoint();
  await world.commit({});
  world.dispatcher.wake();
  await turns();
  world.dispatcher.start();
  await world.dispatcher.stop();
  const before = world.sent.length;
  await world.commit({});
  world.dispatcher.wake();
  await vi.advanceTimersByTimeAsync(60_000);
  await turns();
  expect(world.sent).toHaveLength(before);
  await world.dispatcher.stop();
});

it("retries when a delivery falls due, and finds the events that other processes commit", async () => {
  holdTimers();
  const world = await webhookWorld({}, (_, call) => answered(call === 1 ? 500 : 200));
  await world.endpoint({ retryDelaysSeconds: [0, 1] });
  await world.commit({});
  world.dispatcher.start();
  await turns();
  expect(world.sent).toHaveLength(1);
  world.clock.advance(1_200);
  await vi.advanceTimersByTimeAsync(1_200);
  await turns();
  expect(world.sent).toHaveLength(2);
  await world.commit({}); // without waking it
  await vi.advanceTimersByTimeAsync(2_000);
  await turns();
  expect(world.sent).toHaveLength(3);
  await world.dispatcher.stop();
});

it("continues after an outage of the store, and reports it", async () => {
  holdTimers();
  const world = await webhookWorld();
  await world.endpoint();
  await world.commit({});
  vi.spyOn(world.store, "findUndispatchedEvents").mockRejectedValueOnce(new Error("away"));
  world.dispatcher.start();
  await turns();
  expect(world.errors).toEqual([new Error("away")]);
  expect(world.sent).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(2_000);
  await turns();
  expect(world.sent).toHaveLength(1);
  await world.dispatcher.stop();
});

it("works through a backlog of any size without being woken again", async () => {
  const world = await webhookWorld();
  await world.endpoint();
  for (let count = 0; count < 350; count += 1) await world.commit({});
  world.dispatcher.start();
  await eventually(() => expect(world.sent).toHaveLength(350));
  await world.dispatcher.stop();
});

it("sends no delivery that the fan-out did not write, and each once when a later one has written it", async () => {
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

it("sends the deliveries of a fan-out whose answer was lost, and loses no attempt", async () => {
  holdTimers();
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

it("continues its rounds, and stops, after the store has thrown instead of rejecting", async () => {
  holdTimers();
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
