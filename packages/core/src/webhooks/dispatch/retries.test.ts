import { expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../kernel/clock.js";
import { commitAndWake, idleWorld, runOut } from "../../testing/dispatch-world.js";
import { eventually } from "../../testing/event-loop.js";
import { answered, webhookWorld } from "../../testing/webhook-world.js";
import { createDispatcher } from "./dispatcher.js";
import type { TickSummary } from "./run-tick.js";

const nothing: TickSummary = { fannedOut: 0, delivered: 0, retrying: 0, failed: 0, cancelled: 0, pruned: 0 };

it("tries six times by the schedule with the same id and bytes, then gives up", async () => {
  const world = await webhookWorld({}, () => answered(500));
  await world.endpoint();
  await world.commit({});
  const started = world.clock.now();
  await runOut(world);
  const [delivery] = await world.deliveries();
  expect(delivery).toMatchObject({ status: "failed", attempts: 6, responseCode: 500, nextAttemptAt: null });
  expect(new Set(world.sent.map(({ body }) => body)).size).toBe(1);
  expect(new Set(world.sent.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  const attempts = await world.store.listAttempts("1", delivery?.id ?? "");
  const minutes = attempts.map(({ startedAt }) => (startedAt - started) / MINUTE_MS);
  for (const [index, expected] of [0, 1, 6, 36, 156, 876].entries()) {
    expect(Math.abs((minutes[index] ?? Number.NaN) - expected)).toBeLessThanOrEqual(expected * 0.2);
  }
});

it("retries a call that was refused with 503 until the receiver accepts it", async () => {
  const world = await webhookWorld({}, (_, call) => answered(call < 3 ? 503 : 200));
  await world.endpoint();
  await world.commit({});
  expect(await world.dispatcher.tick()).toEqual({ ...nothing, fannedOut: 1, retrying: 1 });
  expect(await world.deliveries()).toMatchObject([{ status: "retrying" }]);
  await runOut(world);
  expect(await world.deliveries()).toMatchObject([{ status: "delivered", attempts: 3 }]);
  expect(await world.store.findEndpoint("1", "60")).toMatchObject({ failingSince: null });
});

it("retries a delivery after the delay of the next step when its call fails", async () => {
  const world = await idleWorld((_, call) => answered(call === 1 ? 500 : 204));
  await world.endpoint({ retryDelaysSeconds: [0, 60] });
  await commitAndWake(world);
  await eventually(async () => expect(await world.deliveries()).toMatchObject([{ status: "retrying", attempts: 1 }]));
  world.clock.advance(90_000);
  world.dispatcher.wake();
  await eventually(async () => expect(await world.deliveries()).toMatchObject([{ status: "delivered", attempts: 2 }]));
  await world.dispatcher.stop();
});

it("makes no retry after the deadline, and the first attempt however late", async () => {
  const world = await webhookWorld({}, () => answered(500));
  await world.endpoint();
  await world.commit({});
  await world.dispatcher.tick();
  world.clock.advance(2 * DAY_MS);
  expect(await world.dispatcher.tick()).toEqual({ ...nothing, failed: 1 });
  expect(world.sent).toHaveLength(1);
  expect(await world.deliveries()).toMatchObject([{ status: "failed", attempts: 1, responseCode: 500 }]);
});

it("calls a receiver once however late, though the process that claimed the first attempt died", async () => {
  const world = await webhookWorld({}, () => answered(500));
  await world.endpoint();
  await world.commit({});
  const dead = createDispatcher({ ...world.context, sender: { send: () => new Promise(() => {}) } });
  void dead.tick();
  await eventually(async () => expect(await world.deliveries()).toMatchObject([{ attempts: 1 }]));
  world.clock.advance(DAY_MS + HOUR_MS);
  expect(await world.dispatcher.tick()).toEqual({ ...nothing, failed: 1 });
  expect(world.sent).toHaveLength(1);
  const [delivery] = await world.deliveries();
  expect(delivery).toMatchObject({ status: "failed", attempts: 2, responseCode: 500 });
  expect(await world.store.listAttempts("1", delivery?.id ?? "")).toMatchObject([{ number: 2, responseCode: 500 }]);
});

it("calls the receiver of a redelivered delivery however late, regardless of earlier calls", async () => {
  const world = await webhookWorld({}, () => answered(500));
  await world.endpoint({ retryDelaysSeconds: [0, 1] });
  await world.commit({});
  await runOut(world);
  expect(world.sent).toHaveLength(2);
  const [{ id } = { id: "" }] = await world.deliveries();
  await world.store.redeliver("1", id, world.clock.now(), world.clock.now() + DAY_MS);
  const dead = createDispatcher({ ...world.context, sender: { send: () => new Promise(() => {}) } });
  void dead.tick();
  await eventually(async () => expect(await world.deliveries()).toMatchObject([{ attempts: 3 }]));
  world.clock.advance(2 * DAY_MS);
  world.answerWith(() => answered(204));
  expect(await world.dispatcher.tick()).toEqual({ ...nothing, delivered: 1 });
  expect(await world.deliveries()).toMatchObject([{ status: "delivered", attempts: 4 }]);
});

it("counts its own faults as failed calls, and reports them", async () => {
  const world = await webhookWorld({}, () => Promise.reject(new Error("no sender does this")));
  await world.endpoint();
  await world.endpoint({ id: "61", sealedSecret: "v1.foreign" });
  await world.commit({});
  expect(await world.dispatcher.tick()).toEqual({ ...nothing, fannedOut: 1, retrying: 2 });
  expect(world.errors).toHaveLength(2);
  const [delivery] = await world.deliveries();
  expect(await world.store.listAttempts("1", delivery?.id ?? "")).toMatchObject([
    { responseCode: null, error: "The service could not make this call." },
  ]);
});
