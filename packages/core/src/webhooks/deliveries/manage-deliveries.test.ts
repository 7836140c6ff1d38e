import { aDelivery, anAttempt, anEventQuery, outcomeOf } from "@budgetkit/testing";
import { describe, expect, it, vi } from "vitest";
import { replaceKeyCommit } from "../../access/access-commits.js";
import type { Subscriber } from "../../events/event.js";
import { DAY_MS, HOUR_MS, MINUTE_MS, toTimestamp } from "../../kernel/clock.js";
import { parseInput } from "../../kernel/validation.js";
import { answered, type WebhookWorld, webhookWorld } from "../../testing/webhook-world.js";
import { replaceEndpointCommit, testDeliveryCommit } from "../../webhooks/endpoint-commits.js";
import { testEndpoint } from "../dispatch/test-delivery.js";
import { updateEndpoint } from "../endpoints/manage-endpoints.js";
import { deliveryListSchema, listDeliveriesSchema, redeliverSchema } from "./delivery-view.js";
import { listDeliveries, redeliverSince, retryDelivery } from "./manage-deliveries.js";

const endpoint: Subscriber = { kind: "endpoint", id: "60" };
const key: Subscriber = { kind: "key", id: "20" };

function list({ context, owner }: WebhookWorld, subscriber: Subscriber, query: object = {}) {
  return listDeliveries(context, owner, subscriber, parseInput(listDeliveriesSchema, query)._unsafeUnwrap());
}

function recover({ context, owner }: WebhookWorld, subscriber: Subscriber, since: string) {
  return redeliverSince(context, owner, subscriber, parseInput(redeliverSchema, { since })._unsafeUnwrap());
}

/** An endpoint and a key, each with a policy of one attempt at a receiver that answers `code`. */
async function worldWithDelivery(code = 500) {
  const wake = vi.fn();
  const world = await webhookWorld({ wake }, () => answered(code));
  await world.endpoint({ retryDelaysSeconds: [0] });
  await world.key();
  await world.commit({ type: "budget.approved" });
  await world.dispatcher.tick();
  const deliveries = await world.deliveries();
  const idOf = (kind: Subscriber["kind"]) => deliveries.find(({ subscriber }) => subscriber.kind === kind)?.id ?? "";
  return { ...world, wake, ofEndpoint: idOf("endpoint"), ofKey: idOf("key") };
}

describe("listDeliveries", () => {
  it("lists the deliveries of an endpoint with their attempts", async () => {
    const world = await worldWithDelivery();
    const listed = (await list(world, endpoint))._unsafeUnwrap();
    expect(deliveryListSchema.parse(listed)).toEqual(listed);
    const now = toTimestamp(world.clock.now());
    expect(listed.pagination.total).toBe(1);
    expect(listed.data).toEqual([
      {
        id: world.ofEndpoint,
        event: "budget.approved",
        eventId: "801-0",
        status: "failed",
        attemptCount: 1,
        nextAttemptAt: null,
        responseCode: 500,
        payload: expect.objectContaining({ event: "budget.approved" }),
        createdAt: now,
        updatedAt: now,
        attempts: [{ number: 1, startedAt: now, durationMs: 12, responseCode: 500, responseBody: "", error: null }],
      },
    ]);
  });

  it("lists attempts without a record as unknown, but not the one in flight, and the last hundred in all", async () => {
    const world = await webhookWorld();
    await world.endpoint();
    const { store, clock } = world;
    const lease = { token: "lease-1", until: clock.now() + MINUTE_MS };
    const leased = (id: string, attempts: number) =>
      outcomeOf(
        store,
        testDeliveryCommit(aDelivery({ id, subscriber: endpoint, attempts, attemptsSinceRestart: attempts, lease })),
      );
    for (const [id, attempts] of [
      ["70", 3],
      ["71", 3],
      ["72", 150],
    ] as const)
      await leased(id, attempts);
    const end = { businessId: "1", fencingToken: "lease-1", status: "retrying", refundedAttempts: 0 } as const;
    const settle = (deliveryId: string, number: number | null, refundedAttempts = 0) => {
      const attempt = number === null ? null : anAttempt({ deliveryId, number });
      const now = clock.now();
      return store.settle({ ...end, deliveryId, attempt, refundedAttempts, nextAttemptAt: now, now });
    };
    const attemptsOf = async (id: string) =>
      (await list(world, endpoint))._unsafeUnwrap().data.find((delivery) => delivery.id === id)?.attempts ?? [];
    const unknown = {
      startedAt: null,
      durationMs: null,
      responseCode: null,
      responseBody: null,
      error: "The result is unknown: the process that made this attempt did not report it in time.",
    };
    expect(await attemptsOf("70")).toEqual([1, 2].map((number) => ({ number, ...unknown })));
    await settle("70", 3);
    expect(await attemptsOf("70")).toMatchObject([
      { number: 1, ...unknown },
      { number: 2, ...unknown },
      { error: null },
    ]);
    await settle("71", null, 2);
    expect(await attemptsOf("71")).toEqual([{ number: 1, ...unknown }]);
    await settle("72", 150);
    const numbers = (await attemptsOf("72")).map(({ number }) => number);
    expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([100, 51, 150]);
    expect(deliveryListSchema.safeParse((await list(world, endpoint))._unsafeUnwrap()).success).toBe(true);
  });

  it("lists the deliveries of a key, and when they are tried again", async () => {
    const world = await worldWithDelivery();
    const [delivery, ...others] = (await list(world, key))._unsafeUnwrap().data;
    expect(delivery).toMatchObject({ id: world.ofKey, status: "retrying", nextAttemptAt: expect.any(String) });
    expect(others).toEqual([]);
  });

  it("filters deliveries by status and event, page by page", async () => {
    const world = await worldWithDelivery();
    await world.commit({ type: "budget.created" });
    await world.dispatcher.tick();
    const total = async (query: object) => (await list(world, endpoint, query))._unsafeUnwrap().pagination.total;
    expect(await total({})).toBe(2);
    expect(await total({ event: "budget.created" })).toBe(1);
    expect(await total({ status: "failed" })).toBe(2);
    expect(await total({ status: "delivered" })).toBe(0);
    const page = (await list(world, endpoint, { page: "2", limit: "1" }))._unsafeUnwrap();
    expect(page.data.map(({ event }) => event)).toEqual(["budget.approved"]);
  });

  it("users of the business list deliveries, MEMBERs included, and keys may not (FORBIDDEN)", async () => {
    const { context, member, owner, ofKey } = await worldWithDelivery();
    const query = { page: 1, limit: 10 };
    expect((await listDeliveries(context, member, endpoint, query)).isOk()).toBe(true);
    const asKey = { kind: "key", businessId: "1", id: ofKey, scopes: [] } as const;
    expect((await listDeliveries(context, asKey, endpoint, query))._unsafeUnwrapErr().kind).toBe("forbidden");
    for (const subscriber of [endpoint, key]) {
      const stranger = await listDeliveries(context, { ...owner, businessId: "2" }, subscriber, query);
      expect(stranger._unsafeUnwrapErr().kind).toBe("not-found");
      const unknown = await listDeliveries(context, owner, { ...subscriber, id: "no-id" }, query);
      expect(unknown._unsafeUnwrapErr()).toMatchObject({
        kind: "not-found",
        resource: subscriber.kind === "key" ? "apiKey" : "webhook",
      });
    }
  });
});

describe("retryDelivery", () => {
  it("retrying a failed delivery repeats its id and bytes for a whole schedule of attempts", async () => {
    const world = await worldWithDelivery();
    const { context, owner, ofEndpoint, clock, wake, sent } = world;
    clock.advance(HOUR_MS);
    const restarted = (await retryDelivery(context, owner, endpoint, ofEndpoint))._unsafeUnwrap();
    expect(restarted).toMatchObject({ status: "pending", attemptCount: 1, nextAttemptAt: toTimestamp(clock.now()) });
    expect(wake).toHaveBeenCalledTimes(1);
    expect(await world.store.findDelivery("1", ofEndpoint)).toMatchObject({ deadlineAt: clock.now() + DAY_MS });
    world.answerWith(() => answered(200));
    await world.dispatcher.tick();
    const calls = sent.filter(({ headers }) => headers["webhook-id"] === ofEndpoint);
    expect(calls).toHaveLength(2);
    expect(calls[0]?.body).toBe(calls[1]?.body);
    const [delivery] = (await list(world, endpoint))._unsafeUnwrap().data;
    expect(delivery).toMatchObject({ status: "delivered", attemptCount: 2, attempts: [{ number: 1 }, { number: 2 }] });
  });

  it("retries a delivery that arrived, and one of a key", async () => {
    const { context, owner, ofKey, dispatcher, sent } = await worldWithDelivery(204);
    expect((await retryDelivery(context, owner, key, ofKey)).isOk()).toBe(true);
    await dispatcher.tick();
    expect(sent.filter(({ headers }) => headers["webhook-id"] === ofKey)).toHaveLength(2);
  });

  it("refuses to retry a delivery with an attempt in flight (DELIVERY_NOT_FINISHED)", async () => {
    const { context, owner, ofKey, wake } = await worldWithDelivery();
    expect((await retryDelivery(context, owner, key, ofKey))._unsafeUnwrapErr()).toMatchObject({
      kind: "rule",
      rule: "DELIVERY_NOT_FINISHED",
      details: { status: "retrying" },
    });
    expect(wake).not.toHaveBeenCalled();
  });

  it("refuses to retry for a disabled endpoint or a key without URL (WEBHOOK_DISABLED, NO_WEBHOOK_URL)", async () => {
    const world = await worldWithDelivery();
    const { context, owner, store, ofEndpoint, ofKey } = world;
    const stored = await store.findEndpoint("1", "60");
    if (stored !== null) {
      const next = { ...stored, status: "DISABLED", version: stored.version + 1 } as const;
      await store.commit(replaceEndpointCommit(next, stored.version));
    }
    const storedKey = await store.findKey("1", "20");
    if (storedKey !== null) await store.commit(replaceKeyCommit({ ...storedKey, webhookUrl: null, version: 2 }, 1));
    const disabled = { kind: "rule", rule: "WEBHOOK_DISABLED" };
    const noUrl = { kind: "rule", rule: "NO_WEBHOOK_URL" };
    expect((await retryDelivery(context, owner, endpoint, ofEndpoint))._unsafeUnwrapErr()).toMatchObject(disabled);
    expect((await recover(world, endpoint, "2026-03-01"))._unsafeUnwrapErr()).toMatchObject(disabled);
    expect((await retryDelivery(context, owner, key, ofKey))._unsafeUnwrapErr()).toMatchObject(noUrl);
    expect((await list(world, endpoint)).isOk()).toBe(true);
  });

  it("an OWNER or ADMIN retries a delivery of that subscriber, and a MEMBER may not (FORBIDDEN)", async () => {
    const { context, member, owner, ofEndpoint, ofKey } = await worldWithDelivery();
    expect((await retryDelivery(context, member, endpoint, ofEndpoint))._unsafeUnwrapErr().kind).toBe("forbidden");
    for (const id of [ofKey, "999", "no-id"]) {
      const missing = { kind: "not-found", resource: "delivery", id };
      expect((await retryDelivery(context, owner, endpoint, id))._unsafeUnwrapErr()).toMatchObject(missing);
    }
    const other = { ...owner, businessId: "2" };
    expect((await retryDelivery(context, other, endpoint, ofEndpoint))._unsafeUnwrapErr().kind).toBe("not-found");
  });

  it("counts a retried test among the ten tests of the minute (RATE_LIMIT_EXCEEDED)", async () => {
    const { context, owner, clock } = await worldWithDelivery();
    const test = { event: "budget.created", data: {} } as const;
    const { delivery_id: id } = (await testEndpoint(context, owner, "60", test))._unsafeUnwrap();
    for (let count = 2; count < 10; count += 1) await testEndpoint(context, owner, "60", test);
    expect((await retryDelivery(context, owner, endpoint, id)).isOk()).toBe(true);
    expect((await testEndpoint(context, owner, "60", test))._unsafeUnwrapErr().kind).toBe("rate-limited");
    await context.store.cancelDeliveries("1", endpoint, clock.now(), 10);
    const limited = { kind: "rate-limited", limit: 10, resetAtMs: clock.now() + MINUTE_MS };
    expect((await retryDelivery(context, owner, endpoint, id))._unsafeUnwrapErr()).toMatchObject(limited);
    expect(await context.store.findDelivery("1", id)).toMatchObject({ status: "cancelled" });
    clock.advance(MINUTE_MS);
    expect((await retryDelivery(context, owner, endpoint, id)).isOk()).toBe(true);
  });

  it("refuses the second of two concurrent retries (DELIVERY_NOT_FINISHED)", async () => {
    const { context, owner, store, ofEndpoint } = await worldWithDelivery();
    vi.spyOn(store, "redeliver").mockResolvedValue(false);
    expect((await retryDelivery(context, owner, endpoint, ofEndpoint))._unsafeUnwrapErr()).toMatchObject({
      rule: "DELIVERY_NOT_FINISHED",
    });
  });

  it("returns its earlier read when the delivery was pruned during the retry", async () => {
    const { context, owner, store, ofEndpoint } = await worldWithDelivery();
    const known = await store.findDelivery("1", ofEndpoint);
    vi.spyOn(store, "findDelivery").mockResolvedValueOnce(known).mockResolvedValueOnce(null);
    expect((await retryDelivery(context, owner, endpoint, ofEndpoint))._unsafeUnwrap().id).toBe(ofEndpoint);
  });
});

describe("redeliverSince", () => {
  it("redelivers every failed delivery that was created since the given time", async () => {
    const world = await worldWithDelivery();
    world.clock.advance(2 * DAY_MS);
    await world.commit({}, {});
    await world.dispatcher.tick();
    expect((await recover(world, endpoint, "2026-03-04"))._unsafeUnwrap()).toEqual({ restarted: 2 });
    world.clock.advance(MINUTE_MS);
    expect((await recover(world, endpoint, "2026-03-02T12:00:00Z"))._unsafeUnwrap()).toEqual({ restarted: 1 });
    world.clock.advance(MINUTE_MS);
    expect((await recover(world, endpoint, "2026-03-01"))._unsafeUnwrap()).toEqual({ restarted: 0 });
    const { entries } = await world.store.listEvents("1", anEventQuery({ type: "webhook.deliveries_retried" }));
    expect(entries.map(({ subjectId, data }) => [subjectId, data])).toEqual([
      ["60", { since: "2026-03-02T12:00:00.000Z" }],
      ["60", { since: "2026-03-04T00:00:00.000Z" }],
    ]);
    expect(world.wake).toHaveBeenCalledTimes(3);
    world.answerWith(() => answered(200));
    await world.dispatcher.tick();
    const { data } = (await list(world, endpoint))._unsafeUnwrap();
    expect(data.map(({ status }) => status)).toEqual(["delivered", "delivered", "delivered"]);
  });

  it("redelivers what was cancelled when the service disabled the endpoint", async () => {
    const world = await worldWithDelivery();
    const { context, owner, store } = world;
    await updateEndpoint(context, owner, "60", { retryPolicy: null });
    world.answerWith((_request, call) => answered(call % 2 === 0 ? 410 : 500));
    await world.commit({}, {});
    await world.dispatcher.tick();
    expect(await store.findEndpoint("1", "60")).toMatchObject({ status: "DISABLED" });
    const statuses = async () => (await list(world, endpoint))._unsafeUnwrap().data.map(({ status }) => status);
    expect(await statuses()).toContain("cancelled");
    await updateEndpoint(context, owner, "60", { status: "ACTIVE" });
    expect((await recover(world, endpoint, "2026-03-01"))._unsafeUnwrap()).toEqual({ restarted: 3 });
    world.answerWith(() => answered(200));
    await world.dispatcher.tick();
    expect(await statuses()).toEqual(["delivered", "delivered", "delivered"]);
  });

  it("refuses a second redelivery of a subscriber within a minute, for all callers (RATE_LIMIT_EXCEEDED)", async () => {
    const world = await worldWithDelivery();
    const { context, clock, dispatcher, sent, store, ofEndpoint } = world;
    expect((await recover(world, endpoint, "2026-03-01"))._unsafeUnwrap()).toEqual({ restarted: 1 });
    const limited = { kind: "rate-limited", limit: 1, remaining: 0, resetAtMs: clock.now() + MINUTE_MS };
    await dispatcher.tick();
    const before = sent.length;
    clock.advance(MINUTE_MS - 1);
    expect((await recover(world, endpoint, "2026-03-01"))._unsafeUnwrapErr()).toMatchObject(limited);
    const host = { kind: "system", businessId: "1" } as const;
    const input = parseInput(redeliverSchema, { since: "2026-03-01" })._unsafeUnwrap();
    expect((await redeliverSince(context, host, endpoint, input))._unsafeUnwrapErr()).toMatchObject(limited);
    expect(await store.findDelivery("1", ofEndpoint)).toMatchObject({ status: "failed" });
    expect(sent).toHaveLength(before);
    expect((await recover(world, key, "2026-03-01")).isOk()).toBe(true);
    clock.advance(1);
    expect((await recover(world, endpoint, "2026-03-01"))._unsafeUnwrap()).toEqual({ restarted: 1 });
  });

  it("charges nothing for a redelivery that is refused", async () => {
    const world = await worldWithDelivery();
    const { context, owner } = world;
    await updateEndpoint(context, owner, "60", { status: "DISABLED" });
    expect((await recover(world, endpoint, "2026-03-01"))._unsafeUnwrapErr().kind).toBe("rule");
    await updateEndpoint(context, owner, "60", { status: "ACTIVE" });
    expect((await recover(world, endpoint, "2026-03-01")).isOk()).toBe(true);
  });

  it("an OWNER or ADMIN of the business redelivers, and a MEMBER may not (FORBIDDEN)", async () => {
    const { context, member, owner } = await worldWithDelivery();
    const input = parseInput(redeliverSchema, { since: "2026-03-01" })._unsafeUnwrap();
    expect((await redeliverSince(context, member, endpoint, input))._unsafeUnwrapErr().kind).toBe("forbidden");
    const stranger = await redeliverSince(context, { ...owner, businessId: "2" }, endpoint, input);
    expect(stranger._unsafeUnwrapErr().kind).toBe("not-found");
  });
});
