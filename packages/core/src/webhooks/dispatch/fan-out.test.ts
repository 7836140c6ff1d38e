import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { webhookWorld } from "../../testing/webhook-world.js";
import { createDispatcher } from "./dispatcher.js";
import type { TickSummary } from "./run-tick.js";

const nothing: TickSummary = { fannedOut: 0, delivered: 0, retrying: 0, failed: 0, cancelled: 0, pruned: 0 };

it("sends an event to an endpoint that was created before it, while earlier events were fanned out", async () => {
  const world = await webhookWorld();
  await world.endpoint({ id: "61", events: ["customer.created"] });
  for (let count = 0; count < 25; count += 1) await world.commit({}); // a whole page of one business
  const { fanOut } = world.store;
  let fannedOut = 0;
  vi.spyOn(world.store, "fanOut").mockImplementation(async (event, deliveries) => {
    const outcome = await fanOut(event, deliveries);
    fannedOut += 1;
    if (fannedOut === 25) {
      await world.endpoint();
      await world.commit({ type: "budget.approved" });
    }
    return outcome;
  });
  expect(await world.dispatcher.tick()).toMatchObject({ fannedOut: 26, delivered: 1 });
  expect(await world.deliveries()).toMatchObject([{ eventType: "budget.approved", status: "delivered" }]);
});

it("reports a business whose subscribers cannot be read, and fans out the events of the others", async () => {
  const world = await webhookWorld();
  await world.endpoint();
  await world.endpoint({ id: "61", businessId: "2" });
  await world.commit({});
  await world.commit({ businessId: "2" });
  vi.spyOn(world.store, "findSubscribers").mockRejectedValueOnce(new Error("away"));
  expect(await world.dispatcher.tick()).toMatchObject({ fannedOut: 1 });
  expect(world.errors).toEqual([new Error("away")]);
  expect(await world.dispatcher.tick()).toMatchObject({ fannedOut: 1 });
  expect(world.sent).toHaveLength(2);
});

it("sends an event while the fan-out of another is being written", async () => {
  const world = await webhookWorld();
  await world.endpoint();
  await world.endpoint({ id: "61", businessId: "2" });
  await world.commit({});
  await world.commit({ businessId: "2" });
  const { fanOut } = world.store;
  let end = () => {};
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  vi.spyOn(world.store, "fanOut").mockImplementation(async (event, deliveries) => {
    if (event.businessId === "1") await held;
    return fanOut(event, deliveries);
  });
  world.dispatcher.start();
  await vi.waitFor(() => expect(world.sent).toHaveLength(1));
  end();
  await vi.waitFor(() => expect(world.sent).toHaveLength(2));
  await world.dispatcher.stop();
});

it("reads a wider page where events of businesses whose subscribers cannot be read fill it", async () => {
  const world = await webhookWorld();
  const broken = ["2", "3", "4", "5"];
  for (const businessId of broken) {
    await world.endpoint({ id: `6${businessId}`, businessId });
    for (let count = 0; count < 60; count += 1) await world.commit({ businessId });
  }
  await world.endpoint();
  await world.commit({});
  const { findSubscribers } = world.store;
  vi.spyOn(world.store, "findSubscribers").mockImplementation((businessId) =>
    broken.includes(businessId) ? Promise.reject(new Error("away")) : findSubscribers(businessId),
  );
  expect(await world.dispatcher.tick()).toMatchObject({ fannedOut: 1, delivered: 1 });
  expect(world.errors).toHaveLength(broken.length);
});

it("tries a bounded number of events in a tick while the store refuses every fan-out", async () => {
  const world = await webhookWorld();
  await world.endpoint();
  for (let count = 0; count < 500; count += 1) await world.commit({});
  vi.spyOn(world.store, "fanOut").mockRejectedValue(new Error("full"));
  const reads = vi.spyOn(world.store, "findUndispatchedEvents");
  expect(await world.dispatcher.tick()).toMatchObject({ fannedOut: 0 });
  expect(world.errors.length).toBeLessThanOrEqual(300);
  expect(reads.mock.calls.length).toBeLessThanOrEqual(10);
});

it("fans out a mebibyte of bodies at once, and the event that fills it, so that no commit is long", async () => {
  const world = await webhookWorld();
  for (let id = 100; id < 110; id += 1) await world.endpoint({ id: String(id) });
  const bodyBytes = 30_000; // ten bodies an event
  for (let count = 0; count < 12; count += 1) await world.commit({ data: { text: "ñ".repeat(bodyBytes / 2) } });
  const { fanOut } = world.store;
  const chunks: number[] = [];
  let writing = 0;
  vi.spyOn(world.store, "fanOut").mockImplementation(async (event, deliveries) => {
    writing += 1;
    await nextTurn();
    if (writing > 0) chunks.push(writing);
    writing = 0;
    return fanOut(event, deliveries);
  });
  expect(await world.dispatcher.tick()).toMatchObject({ fannedOut: 12 });
  expect(chunks).toEqual([4, 4, 4]);
});

it("fans out businesses in turns and in bounded chunks, so that one with many subscribers delays no other", async () => {
  const world = await webhookWorld();
  for (let id = 100; id < 200; id += 1) await world.endpoint({ id: String(id) });
  await world.endpoint({ id: "200", businessId: "2" });
  for (let count = 0; count < 40; count += 1) await world.commit({});
  await world.commit({ businessId: "2" });
  const { fanOut } = world.store;
  const order: string[] = [];
  let writing = 0;
  let most = 0;
  vi.spyOn(world.store, "fanOut").mockImplementation(async (event, deliveries) => {
    order.push(event.businessId);
    writing += deliveries.length;
    most = Math.max(most, writing);
    await nextTurn();
    writing -= deliveries.length;
    return fanOut(event, deliveries);
  });
  expect(await world.dispatcher.tick()).toMatchObject({ fannedOut: 41 });
  expect(order.indexOf("2")).toBe(1);
  expect(most).toBeLessThan(250 + 100);
});

it("fans out the other events when the fan-out of one fails, and that one in the next tick", async () => {
  const world = await webhookWorld();
  await world.endpoint();
  await world.commit({}, {}, {});
  vi.spyOn(world.store, "fanOut").mockRejectedValueOnce(new Error("busy"));
  expect(await world.dispatcher.tick()).toEqual({ ...nothing, fannedOut: 2, delivered: 2 });
  expect(await world.dispatcher.tick()).toEqual({ ...nothing, fannedOut: 1, delivered: 1 });
  expect(world.errors).toEqual([new Error("busy")]);
});

it("skips events that another dispatcher has fanned out", async () => {
  const world = await webhookWorld();
  await world.endpoint();
  await world.commit({}, {});
  const both = await Promise.all([world.dispatcher.tick(), createDispatcher(world.context).tick()]);
  expect(both.reduce((sum, { fannedOut }) => sum + fannedOut, 0)).toBe(2);
  expect(world.sent).toHaveLength(2);
});
