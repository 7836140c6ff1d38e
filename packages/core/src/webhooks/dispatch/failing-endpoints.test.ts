import { expect, it } from "vitest";
import { DAY_MS } from "../../kernel/clock.js";
import { runOut } from "../../testing/dispatch-world.js";
import { eventually } from "../../testing/event-loop.js";
import { answered, KEY_URL, webhookWorld } from "../../testing/webhook-world.js";
import type { TickSummary } from "./run-tick.js";

const nothing: TickSummary = { fannedOut: 0, delivered: 0, retrying: 0, failed: 0, cancelled: 0, pruned: 0 };

it("disables an endpoint that answers 410 Gone, and cancels the deliveries that wait for it", async () => {
  const world = await webhookWorld({}, () => answered(500));
  await world.endpoint();
  await world.commit({});
  await world.dispatcher.tick();
  world.answerWith(() => answered(410));
  await world.commit({});
  expect(await world.dispatcher.tick()).toEqual({ ...nothing, fannedOut: 1, failed: 1 });
  expect(await world.store.findEndpoint("1", "60")).toMatchObject({
    status: "DISABLED",
    disabledReason: "The receiver answered 410 Gone.",
  });
  expect((await world.deliveries()).map(({ status }) => status).sort()).toEqual(["cancelled", "failed"]);
  await world.commit({});
  expect(await world.dispatcher.tick()).toEqual(nothing);
});

it("fails a delivery to a key whose receiver answers 410 Gone, and leaves the key alone", async () => {
  const world = await webhookWorld({}, () => answered(410));
  await world.key();
  await world.commit({});
  expect(await world.dispatcher.tick()).toMatchObject({ failed: 1 });
  expect(await world.store.findKey("1", "20")).toMatchObject({ status: "ACTIVE", webhookUrl: KEY_URL });
});

it("disables an endpoint that has failed for five days", async () => {
  const world = await webhookWorld({}, () => answered(500));
  await world.endpoint();
  for (let day = 0; day <= 6; day += 1) {
    await world.commit({});
    await world.dispatcher.tick();
    world.clock.advance(DAY_MS);
  }
  expect(await world.store.findEndpoint("1", "60")).toMatchObject({
    status: "DISABLED",
    disabledReason: "Every call since 2026-03-02T12:00:00.000Z failed, on 6 different days.",
  });
  expect(await world.store.nextDueAt()).toBeNull();
});

it("keeps an endpoint ACTIVE that fails once more after a quiet week, and the deliveries that wait for it", async () => {
  const world = await webhookWorld({}, () => answered(503));
  await world.endpoint();
  for (let week = 0; week < 2; week += 1) {
    await world.commit({});
    await runOut(world);
    world.clock.advance(7 * DAY_MS);
  }
  await world.commit({});
  expect(await world.dispatcher.tick()).toMatchObject({ retrying: 1 });
  expect(await world.store.findEndpoint("1", "60")).toMatchObject({ status: "ACTIVE", disabledReason: null });
  expect((await world.deliveries()).map(({ status }) => status).sort()).toEqual(["failed", "failed", "retrying"]);
});

it("resets the health of an endpoint by a success whose call began before another one failed", async () => {
  const world = await webhookWorld();
  await world.endpoint();
  for (let count = 0; count < 2; count += 1) await world.commit({});
  let succeed = () => {};
  world.answerWith((_, call) =>
    call === 1 ? new Promise((resolve) => (succeed = () => resolve(answered(200)))) : answered(500),
  );
  const failing = async () => (await world.store.findEndpoint("1", "60"))?.failingSince ?? null;
  world.dispatcher.start();
  await eventually(async () => expect(await failing()).not.toBeNull());
  succeed();
  await eventually(async () => expect(await failing()).toBeNull());
  await world.dispatcher.stop();
});
