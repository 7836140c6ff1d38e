import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../kernel/clock.js";
import { verifyWebhook } from "../../signing/verify-webhook.js";
import { isPending } from "../../testing/is-pending.js";
import {
  answered,
  ENDPOINT_URL,
  KEY_URL,
  SECRET,
  type WebhookWorld,
  webhookWorld,
} from "../../testing/webhook-world.js";
import type { SendOutcome } from "../transport/sender.js";
import { createDispatcher, type TickSummary } from "./dispatcher.js";

const nothing: TickSummary = { fannedOut: 0, delivered: 0, retrying: 0, failed: 0, cancelled: 0, pruned: 0 };

/** Ticks at each moment at which something falls due, until nothing waits any more. */
async function runOut({ store, clock, dispatcher }: WebhookWorld): Promise<void> {
  await dispatcher.tick();
  for (let due = await store.nextDueAt(); due !== null; due = await store.nextDueAt()) {
    clock.set(Math.max(clock.now(), due));
    await dispatcher.tick();
  }
}

describe("a tick", () => {
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

  it("has no work with events of a business without subscribers, and sends none to a later one", async () => {
    const world = await webhookWorld();
    await world.commit({});
    await world.endpoint();
    expect(await world.dispatcher.tick()).toEqual(nothing);
    expect(world.sent).toEqual([]);
  });

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

  it("stops as soon as the receiver takes it", async () => {
    const world = await webhookWorld({}, (_, call) => answered(call < 3 ? 503 : 200));
    await world.endpoint();
    await world.commit({});
    expect(await world.dispatcher.tick()).toEqual({ ...nothing, fannedOut: 1, retrying: 1 });
    expect(await world.deliveries()).toMatchObject([{ status: "retrying" }]);
    await runOut(world);
    expect(await world.deliveries()).toMatchObject([{ status: "delivered", attempts: 3 }]);
    expect(await world.store.findEndpoint("1", "60")).toMatchObject({ failingSince: null });
  });

  it("ends with a 410, disables the endpoint and cancels what waits for it", async () => {
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

  it("ends with a 410 of a key's receiver, and leaves the key alone", async () => {
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

  it("keeps an endpoint, and what waits for it, that fails once more after a quiet week", async () => {
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

  it.each([
    ["suspended", { status: "SUSPENDED" }],
    ["revoked", { status: "REVOKED" }],
    ["without its URL", { webhookUrl: null }],
    ["expired", { expiresAt: 1 }],
    ["without the scope", { scopes: ["READ_CUSTOMERS"] }],
  ] as const)("cancels what waits for a key that is %s by now", async (_, change) => {
    const world = await webhookWorld({}, () => answered(500));
    const { key } = await world.key();
    await world.commit({});
    await world.dispatcher.tick();
    await world.store.replaceKey({ ...key, ...change, version: 2 }, 1);
    world.clock.advance(2 * MINUTE_MS);
    expect(await world.dispatcher.tick()).toEqual({ ...nothing, cancelled: 1 });
    expect(world.sent).toHaveLength(1);
    expect(await world.deliveries()).toMatchObject([{ status: "cancelled", attempts: 1, responseCode: 500 }]);
  });

  it("sends to where the subscriber is by now, as its policy is by now", async () => {
    const world = await webhookWorld({}, () => answered(500));
    const endpoint = await world.endpoint();
    await world.commit({});
    await world.dispatcher.tick();
    const moved = { ...endpoint, url: "https://elsewhere.example/", allowedIps: ["203.0.113.0/24"] };
    await world.store.replaceEndpoint({ ...moved, retryDelaysSeconds: [0, 60], version: 3 }, 2);
    await runOut(world);
    expect(world.sent.map(({ url }) => url)).toEqual([ENDPOINT_URL, "https://elsewhere.example/"]);
    expect(world.sent[1]?.allowedIps).toEqual(["203.0.113.0/24"]);
    expect(await world.deliveries()).toMatchObject([{ status: "failed", attempts: 2 }]);
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

  it("calls a receiver once however late, though the first attempt was claimed by a process that died", async () => {
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

  it("does the same for a redelivered one, regardless of earlier calls", async () => {
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

  it("takes over what a lapsed lease left, and counts the attempt that was cut off", async () => {
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

  it("does not call when the process was paused before the call, until another may have the delivery", async () => {
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

  it("does not count deliveries that were taken over or cancelled during the call", async () => {
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

  it("takes its own faults for failed calls, and reports them", async () => {
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

  it("reports what it could not settle, and finds it again when the lease has lapsed", async () => {
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

  it("fans out in turns and in bounded chunks, so that a business with many subscribers delays no other", async () => {
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

  it("fans out the others when one event cannot be, and that one the next time", async () => {
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

  it("rejects when the store fails, after the calls in flight are settled", async () => {
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

  it("refuses a delivery without a lease", async () => {
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

  it("forgets what is older than the retention", async () => {
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

  it("is bounded in events and deliveries, for any backlog", async () => {
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

  it("is bounded in time: it begins nothing when a deadline has passed since it began", async () => {
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

  it("refuses concurrency limits below 1", async () => {
    const concurrency = { total: 5, perBusiness: 5, perSubscriber: 5 };
    for (const cap of [0, -1, 1.5, Number.NaN]) {
      for (const name of ["total", "perBusiness", "perSubscriber"]) {
        const broken = { ...concurrency, [name]: cap };
        await expect(webhookWorld({ concurrency: broken })).rejects.toThrow(RangeError);
      }
    }
  });
});

describe("concurrency", () => {
  it.each([
    { total: 50, perBusiness: 50, perSubscriber: 5 },
    { total: 7, perBusiness: 7, perSubscriber: 3 },
    { total: 4, perBusiness: 9, perSubscriber: 1 },
    { total: 1, perBusiness: 1, perSubscriber: 1 },
  ])("never exceeds $total in all and $perSubscriber a subscriber, and reaches them", async (concurrency) => {
    const world = await webhookWorld({ concurrency });
    for (let id = 60; id < 75; id += 1) await world.endpoint({ id: String(id), url: `https://hooks.example/${id}` });
    for (let count = 0; count < 12; count += 1) await world.commit({});
    const inFlight = new Map<string, number>();
    let most = 0;
    let mostOfOne = 0;
    let all = 0;
    world.answerWith(async ({ url }) => {
      all += 1;
      const own = (inFlight.get(url) ?? 0) + 1;
      inFlight.set(url, own);
      most = Math.max(most, all);
      mostOfOne = Math.max(mostOfOne, own);
      for (let turns = 0; turns < 3; turns += 1) await nextTurn();
      all -= 1;
      inFlight.set(url, (inFlight.get(url) ?? 1) - 1);
      return answered(200);
    });
    await world.dispatcher.tick();
    await world.dispatcher.tick();
    expect(world.sent).toHaveLength(15 * 12);
    expect(most).toBe(concurrency.total);
    expect(mostOfOne).toBeLessThanOrEqual(concurrency.perSubscriber);
  });
});

describe("a business", () => {
  it("whose endpoints never answer delays no delivery of another business", async () => {
    const world = await webhookWorld({ concurrency: { total: 50, perBusiness: 15, perSubscriber: 5 } });
    for (let id = 100; id < 120; id += 1) await world.endpoint({ id: String(id), url: "https://dead.example/" });
    await world.endpoint({ id: "200", businessId: "2" });
    for (let count = 0; count < 10; count += 1) await world.commit({});
    const hanging: (() => void)[] = [];
    world.answerWith(({ url }) =>
      url === ENDPOINT_URL
        ? answered(204)
        : new Promise((resolve) => {
            hanging.push(() => resolve(answered(500)));
          }),
    );
    world.dispatcher.start();
    await eventually(() => expect(hanging).toHaveLength(15));
    await turns();
    await world.commit({ businessId: "2" });
    world.dispatcher.wake();
    await eventually(() => expect(world.sent.some(({ url }) => url === ENDPOINT_URL)).toBe(true));
    expect(hanging).toHaveLength(15);
    world.answerWith(() => answered(500)); // what is claimed from here on must not keep the test waiting
    for (const answer of hanging) answer();
    await world.dispatcher.stop();
  });

  it("gets its slots back when its calls end", async () => {
    const world = await webhookWorld({ concurrency: { total: 50, perBusiness: 3, perSubscriber: 2 } });
    for (let id = 100; id < 104; id += 1) await world.endpoint({ id: String(id) });
    for (let count = 0; count < 10; count += 1) await world.commit({});
    let inFlight = 0;
    let most = 0;
    world.answerWith(async () => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await nextTurn();
      inFlight -= 1;
      return answered(204);
    });
    expect(await world.dispatcher.tick()).toMatchObject({ delivered: 40 });
    expect(most).toBe(3);
  });
});

describe("a tick that runs when the dispatcher is stopped", () => {
  it("claims nothing more, and stop waits for what it began", async () => {
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

  it("releases claimed deliveries without a call: due at once, and the claims do not count", async () => {
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
    const ofEndpoint = async () =>
      (await world.deliveries()).filter(({ subscriber }) => subscriber.kind === "endpoint");
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

  it("fans out no further, and fails without disturbing the stop", async () => {
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
});

describe("the loop", () => {
  afterEach(() => void vi.useRealTimers());

  it("delivers what waits when it is started, and what comes as soon as it is woken", async () => {
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

  it("does nothing before it is started and after it was stopped", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
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

  it("comes back when a retry falls due, and finds what other processes commit", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
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
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
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

  it("claims ahead where calls are quick, and releases what waits for a slot when it stops", async () => {
    const world = await webhookWorld({ concurrency: { total: 4, perBusiness: 4, perSubscriber: 4 } });
    claimSlowly(world);
    await world.endpoint();
    for (let count = 0; count < 40; count += 1) await world.commit({});
    const open: (() => void)[] = [];
    world.answerWith((_, call) =>
      call <= 12 ? answeredAfter(call % 4) : new Promise((resolve) => open.push(() => resolve(answered(200)))),
    );
    world.dispatcher.start();
    await eventually(() => expect(open).toHaveLength(4));
    await turns();
    const leased = (await world.deliveries()).filter(({ lease }) => lease !== null);
    expect(leased.length).toBeGreaterThan(4); // four are called, the others wait here
    expect(leased.length).toBeLessThanOrEqual(8);
    const stopping = world.dispatcher.stop();
    await eventually(async () => {
      const uncalled = (await world.deliveries()).filter(({ status }) => status === "pending");
      expect(uncalled.filter(({ lease }) => lease !== null)).toHaveLength(4);
    });
    for (const answer of open) answer();
    await stopping;
    expect(world.sent).toHaveLength(16);
    const pending = (await world.deliveries()).filter(({ status }) => status === "pending");
    expect(pending).toHaveLength(24);
    for (const { attempts, lease } of pending) expect([attempts, lease]).toEqual([0, null]);
  });

  it("gives back what has waited a second for a slot, since its receiver has become slow", async () => {
    const world = await webhookWorld({ concurrency: { total: 4, perBusiness: 4, perSubscriber: 4 } });
    claimSlowly(world);
    await world.endpoint();
    for (let count = 0; count < 40; count += 1) await world.commit({});
    const open: (() => void)[] = [];
    world.answerWith((_, call) =>
      call <= 12 ? answeredAfter(call % 4) : new Promise((resolve) => open.push(() => resolve(answered(200)))),
    );
    const leased = async () => (await world.deliveries()).filter(({ lease }) => lease !== null);
    world.dispatcher.start();
    await eventually(() => expect(open).toHaveLength(4));
    await turns();
    expect((await leased()).length).toBeGreaterThan(4); // four are called, the others wait here
    world.clock.advance(1_001);
    world.dispatcher.wake();
    await eventually(async () => expect(await leased()).toHaveLength(4));
    const waiting = (await world.deliveries()).filter(({ status, lease }) => status === "pending" && lease === null);
    expect(waiting).toHaveLength(24);
    for (const { attempts } of waiting) expect(attempts).toBe(0);
    const stopping = world.dispatcher.stop();
    for (const answer of open) answer();
    await stopping;
    expect(world.sent).toHaveLength(16);
  });

  it("calls what has waited longer than a second once its slot is free, and releases nothing", async () => {
    const world = await webhookWorld({ concurrency: { total: 4, perBusiness: 4, perSubscriber: 4 } });
    claimSlowly(world);
    await world.endpoint();
    for (let count = 0; count < 40; count += 1) await world.commit({});
    const open: (() => void)[] = [];
    world.answerWith((_, call) =>
      call <= 12 ? answeredAfter(call % 4) : new Promise((resolve) => open.push(() => resolve(answered(200)))),
    );
    world.dispatcher.start();
    await eventually(() => expect(open).toHaveLength(4));
    await turns();
    const waiting = (await world.deliveries()).filter(({ status, lease }) => status === "pending" && lease !== null);
    expect(waiting.length).toBeGreaterThan(4); // four of them are called, the others wait here
    const settling = vi.spyOn(world.store, "settle");
    world.clock.advance(1_001);
    for (const answer of open.splice(0)) answer();
    await eventually(() => expect(open).toHaveLength(4));
    world.answerWith(() => answered(200));
    for (const answer of open.splice(0)) answer();
    await eventually(async () => {
      for (const answer of open.splice(0)) answer();
      expect((await world.deliveries()).every(({ status }) => status === "delivered")).toBe(true);
    });
    expect(settling.mock.calls.filter(([settled]) => settled.attempt === null)).toEqual([]);
    await world.dispatcher.stop();
    expect(world.sent).toHaveLength(40);
  });

  it("calls the others of a business at once while receivers hang that it claimed ahead for", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const world = await webhookWorld({ concurrency: { total: 12, perBusiness: 6, perSubscriber: 2 } });
    claimSlowly(world);
    const urls = ["https://one.example/", "https://two.example/", "https://good.example/"];
    for (const [index, url] of urls.entries()) await world.endpoint({ id: String(60 + index), url });
    const answers: (() => void)[] = [];
    let isHanging = false;
    world.answerWith(({ url }) => {
      if (!isHanging || url === urls[2]) return answeredAfter(world.sent.length % 4);
      return new Promise((resolve) => answers.push(() => resolve(answered(200))));
    });
    for (let count = 0; count < 60; count += 1) await world.commit({});
    world.dispatcher.start();
    while (world.sent.length < 60) await nextTurn();
    isHanging = true;
    const good = () => world.sent.filter(({ url }) => url === urls[2]).length;
    for (let events = 60; events < 66; events += 1) {
      for (let round = 0; round < 10 && good() < events; round += 1) await turns();
      expect(good()).toBe(events);
      await world.commit({});
      world.dispatcher.wake();
    }
    expect(answers).toHaveLength(4);
    isHanging = false;
    const stopping = world.dispatcher.stop();
    for (const answer of answers) answer();
    await stopping;
  });

  it("claims again while slots are free beside deliveries that wait for theirs", async () => {
    const world = await webhookWorld({ concurrency: { total: 4, perBusiness: 4, perSubscriber: 1 } });
    await world.endpoint();
    for (let count = 0; count < 6; count += 1) await world.commit({});
    const { claimDue } = world.store;
    vi.spyOn(world.store, "claimDue").mockResolvedValue([]);
    await world.dispatcher.tick(); // fans out
    await world.endpoint({ id: "61", url: "https://other.example/" });
    await world.commit({});
    vi.spyOn(world.store, "claimDue").mockImplementation((claim) =>
      claimDue({ ...claim, perSubscriber: 4, inFlight: [] }),
    );
    const answers: (() => void)[] = [];
    world.answerWith(() => new Promise((resolve) => answers.push(() => resolve(answered(200)))));
    const tick = world.dispatcher.tick();
    await turns();
    expect(world.sent.map(({ url }) => url)).toEqual([ENDPOINT_URL, "https://other.example/"]);
    world.answerWith(() => answered(200));
    for (const answer of answers) answer();
    expect(await tick).toMatchObject({ delivered: 8 });
  });

  it("releases what has waited so long for its slot that its lease might not last for the call", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
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

  it("resets an endpoint that failed while a call of it was under way that succeeded", async () => {
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

  it("is not held up by a receiver that never answers", async () => {
    const events = 20;
    const calls = async (withDeadOne: boolean): Promise<number> => {
      const world = await webhookWorld();
      for (let id = 100; id < 199; id += 1) await world.endpoint({ id: String(id) });
      if (withDeadOne) await world.endpoint({ id: "199", url: "https://dead.example/" });
      for (let count = 0; count < events; count += 1) await world.commit({});
      const claiming = vi.spyOn(world.store, "claimDue");
      const hanging: (() => void)[] = [];
      let good = 0;
      let claims = 0;
      world.answerWith(({ url }) => {
        if (url === "https://dead.example/")
          return new Promise((resolve) => hanging.push(() => resolve(answered(500))));
        good += 1;
        claims = claiming.mock.calls.length;
        return answered(200);
      });
      world.dispatcher.start();
      await eventually(() => expect(good).toBe(99 * events));
      expect(hanging.length).toBeLessThanOrEqual(5);
      if (withDeadOne) expect(hanging.length).toBeGreaterThanOrEqual(4);
      world.answerWith(() => answered(500)); // what is claimed from here on must not keep the test waiting
      for (const answer of hanging) answer();
      await world.dispatcher.stop();
      return claims;
    };
    const alone = await calls(false);
    const beside = await calls(true);
    // Places are what the dead one takes: 5 of 50, and so at most a tenth more rounds.
    expect(beside).toBeLessThanOrEqual(Math.ceil(alone * 1.15));
  }, 60_000);
});

/** Waits until it holds, for as long as a busy machine may take. */
function eventually(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 20_000, interval: 5 });
}

async function answeredAfter(turns: number): Promise<SendOutcome> {
  for (let turn = 0; turn < turns; turn += 1) await nextTurn();
  return answered(200);
}

/** Calls end while a claim is at the store. */
function claimSlowly({ store }: WebhookWorld): void {
  const { claimDue } = store;
  vi.spyOn(store, "claimDue").mockImplementation(async (claim) => {
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    return claimDue(claim);
  });
}

/** Lets everything run that waits for nothing but its turn. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await nextTurn();
}
