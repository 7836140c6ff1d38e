import { expect, it, vi } from "vitest";
import { DAY_MS, SECOND_MS } from "../../kernel/clock.js";
import { verifyWebhook } from "../../signing/verify-webhook.js";
import { runOut } from "../../testing/dispatch-world.js";
import { answered, ENDPOINT_URL, KEY_URL, SECRET, webhookWorld } from "../../testing/webhook-world.js";
import type { TickSummary } from "./run-tick.js";

const nothing: TickSummary = { fannedOut: 0, delivered: 0, retrying: 0, failed: 0, cancelled: 0, pruned: 0 };

it("brings an event to every subscriber, signed", async () => {
  const world = await webhookWorld();
  await world.endpoint();
  await world.key();
  await world.commit({ type: "budget.approved", data: { id: "10", total: 121 } });
  expect(await world.dispatcher.tick()).toEqual({ ...nothing, fannedOut: 1, delivered: 2 });
  expect(world.sent.map(({ url }) => url).sort()).toEqual([ENDPOINT_URL, KEY_URL].sort());
  for (const { headers, body, deadlineMs, allowedIps, allowPrivate } of world.sent) {
    expect({ deadlineMs, allowedIps, allowPrivate }).toEqual({
      deadlineMs: 30_000,
      allowedIps: null,
      allowPrivate: false,
    });
    expect(headers).toMatchObject({ "content-type": "application/json", "user-agent": "Budgetkit/1.1.0" });
    const verification = verifyWebhook(headers, body, SECRET, { now: world.clock.now() });
    expect(verification).toMatchObject({
      ok: true,
      event: {
        event: "budget.approved",
        data: { id: "10", total: 121 },
        metadata: { source: "budgetkit", delivery_id: headers["webhook-id"], sequence: 1 },
      },
    });
  }
  const [delivery] = await world.deliveries();
  expect(delivery).toMatchObject({ status: "delivered", attempts: 1, responseCode: 204, lease: null });
  expect(await world.store.listAttempts("1", delivery?.id ?? "")).toEqual([
    {
      businessId: "1",
      deliveryId: delivery?.id,
      number: 1,
      startedAt: world.clock.now(),
      durationMs: 12,
      responseCode: 204,
      responseBody: "",
      error: null,
    },
  ]);
  expect(await world.dispatcher.tick()).toEqual(nothing);
});

it("sends nothing for an event that no subscriber asked for, and marks it as fanned out", async () => {
  const world = await webhookWorld();
  await world.endpoint({ events: ["budget.approved"] });
  await world.commit({});
  expect(await world.dispatcher.tick()).toEqual({ ...nothing, fannedOut: 1 });
  expect(await world.dispatcher.tick()).toEqual(nothing);
});

it("leaves the events of a business without subscribers alone, and sends none to a later subscriber", async () => {
  const world = await webhookWorld();
  await world.commit({});
  await world.endpoint();
  expect(await world.dispatcher.tick()).toEqual(nothing);
  expect(world.sent).toEqual([]);
});

it("settles the calls in flight before a tick rejects because the store failed", async () => {
  const world = await webhookWorld();
  await world.endpoint();
  await world.commit({});
  const { claimDue } = world.store;
  let claims = 0;
  vi.spyOn(world.store, "claimDue").mockImplementation((claim) => {
    claims += 1;
    return claims === 1 ? claimDue(claim) : Promise.reject(new Error("away"));
  });
  await expect(world.dispatcher.tick()).rejects.toThrow("away");
  expect(await world.deliveries()).toMatchObject([{ status: "delivered" }]);
});

it("refuses to settle a delivery that has no lease", async () => {
  const world = await webhookWorld();
  await world.endpoint();
  await world.commit({});
  const { claimDue } = world.store;
  vi.spyOn(world.store, "claimDue").mockImplementation(async (claim) =>
    (await claimDue(claim)).map((delivery) => ({ ...delivery, lease: null })),
  );
  await world.dispatcher.tick();
  expect(world.errors).toEqual([expect.objectContaining({ message: expect.stringMatching(/is not leased/) })]);
});

it("removes deliveries that are older than the retention", async () => {
  const world = await webhookWorld({ retentionMs: DAY_MS });
  await world.endpoint();
  await world.commit({});
  await world.dispatcher.tick();
  world.clock.advance(DAY_MS);
  expect(await world.dispatcher.tick()).toEqual(nothing);
  world.clock.advance(1);
  expect(await world.dispatcher.tick()).toEqual({ ...nothing, pruned: 1 });
  expect(await world.deliveries()).toEqual([]);
});

it("takes at most 100 events and 500 deliveries in a tick, for any backlog", async () => {
  const world = await webhookWorld();
  for (let id = 60; id < 70; id += 1) await world.endpoint({ id: String(id) });
  for (let count = 0; count < 250; count += 1) await world.commit({});
  expect(await world.dispatcher.tick()).toEqual({ ...nothing, fannedOut: 100, delivered: 500 });
  expect(await world.dispatcher.tick()).toEqual({ ...nothing, fannedOut: 100, delivered: 500 });
  expect(await world.dispatcher.tick()).toEqual({ ...nothing, fannedOut: 50, delivered: 500 });
  await runOut(world);
  expect((await world.deliveries()).every(({ status }) => status === "delivered")).toBe(true);
  expect(world.sent).toHaveLength(2_500);
});

it("begins no call in a tick once the deadline of a call has passed since the tick began", async () => {
  const world = await webhookWorld();
  await world.endpoint();
  for (let count = 0; count < 20; count += 1) await world.commit({});
  world.answerWith(() => {
    world.clock.advance(10 * SECOND_MS);
    return answered(200);
  });
  const { delivered } = await world.dispatcher.tick();
  expect(delivered).toBeGreaterThan(0);
  expect(delivered).toBeLessThanOrEqual(8);
});

it("refuses to create a dispatcher with concurrency limits below 1", async () => {
  const concurrency = { total: 5, perBusiness: 5, perSubscriber: 5 };
  for (const cap of [0, -1, 1.5, Number.NaN]) {
    for (const name of ["total", "perBusiness", "perSubscriber"]) {
      const broken = { ...concurrency, [name]: cap };
      await expect(webhookWorld({ concurrency: broken })).rejects.toThrow(RangeError);
    }
  }
});
