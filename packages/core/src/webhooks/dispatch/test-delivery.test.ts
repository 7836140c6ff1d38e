import { expect, it } from "vitest";
import { MINUTE_MS, toTimestamp } from "../../kernel/clock.js";
import { parseInput } from "../../kernel/validation.js";
import { verifyWebhook } from "../../signing/verify-webhook.js";
import { answered, ENDPOINT_URL, KEY_URL, SECRET, webhookWorld } from "../../testing/webhook-world.js";
import { endpointTestSchema, testSchema, testViewSchema } from "../deliveries/delivery-view.js";
import { testEndpoint, testKey } from "./test-delivery.js";

const sample = { event: "budget.approved", data: { id: "sample" } } as const;

it("sends one signed test call to the webhookUrl of a key and returns its result", async () => {
  const { context, clock, key, sent, deliveries } = await webhookWorld();
  const { actor } = await key();
  const view = (await testKey(context, actor, sample))._unsafeUnwrap();
  expect(testViewSchema.parse(view)).toEqual(view);
  expect(view).toEqual({
    delivery_id: sent[0]?.headers["webhook-id"],
    status: "delivered",
    response_code: 204,
    response_time: 12,
    delivered_at: toTimestamp(clock.now() + 12),
  });
  expect(sent[0]?.url).toBe(KEY_URL);
  const verification = verifyWebhook(sent[0]?.headers ?? {}, sent[0]?.body ?? "", SECRET, { now: clock.now() });
  expect(verification).toMatchObject({
    ok: true,
    event: { ...sample, metadata: { event_id: null, sequence: null } },
  });
  expect(await deliveries()).toMatchObject([{ id: view.delivery_id, eventId: null, status: "delivered", attempts: 1 }]);
});

it("returns the failure of a test call, and makes no second attempt", async () => {
  const { context, key, store, answerWith } = await webhookWorld();
  const { actor } = await key();
  answerWith(() => answered(503));
  expect((await testKey(context, actor, sample))._unsafeUnwrap()).toMatchObject({
    status: "failed",
    response_code: 503,
  });
  answerWith(() => ({ kind: "failed", error: "The connection was refused.", durationMs: 3 }));
  expect((await testKey(context, actor, sample))._unsafeUnwrap()).toMatchObject({
    status: "failed",
    response_code: 0,
    response_time: 3,
  });
  expect(await store.nextDueAt()).toBeNull();
});

it("makes a test call once, also when the process crashes during it", async () => {
  const { context, key, dispatcher, deliveries, clock, sent } = await webhookWorld();
  const { actor } = await key();
  void testKey({ ...context, sender: { send: () => new Promise(() => {}) } }, actor, sample);
  await Promise.resolve();
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  clock.advance(MINUTE_MS);
  expect(await dispatcher.tick()).toMatchObject({ failed: 1 });
  expect(await deliveries()).toMatchObject([{ status: "failed", attempts: 1 }]);
  expect(sent).toEqual([]);
});

it("refuses to test a key without a webhookUrl, or that is not ACTIVE", async () => {
  const { context, key } = await webhookWorld();
  const noUrl = { kind: "rule", rule: "NO_WEBHOOK_URL" };
  const { actor } = await key({ webhookUrl: null });
  expect((await testKey(context, actor, sample))._unsafeUnwrapErr()).toMatchObject(noUrl);
  expect((await testKey(context, { ...actor, id: "999" }, sample))._unsafeUnwrapErr()).toMatchObject(noUrl);
});

it("allows only a key to test its webhookUrl", async () => {
  const { context, owner } = await webhookWorld();
  expect((await testKey(context, owner, sample))._unsafeUnwrapErr().kind).toBe("forbidden");
});

it("allows ten tests of a key in any minute", async () => {
  const { context, clock, key } = await webhookWorld();
  const { actor } = await key();
  const other = await key({ id: "21", keyHash: "other" });
  const first = clock.now();
  for (let count = 0; count < 10; count += 1) {
    expect((await testKey(context, actor, sample)).isOk()).toBe(true);
    clock.advance(1_000);
  }
  const refusal = { kind: "rate-limited", limit: 10, remaining: 0, resetAtMs: first + MINUTE_MS };
  expect((await testKey(context, actor, sample))._unsafeUnwrapErr()).toMatchObject(refusal);
  expect((await testKey(context, other.actor, sample)).isOk()).toBe(true);
  clock.set(first + MINUTE_MS);
  expect((await testKey(context, actor, sample)).isOk()).toBe(true);
  expect((await testKey(context, actor, sample)).isErr()).toBe(true);
});

it("requires an event of the contract and an object of bounded size for a test", () => {
  const refused = (input: unknown) => {
    const problem = parseInput(testSchema, input)._unsafeUnwrapErr();
    return problem.kind === "invalid" ? problem.errors.map(({ field, code }) => `${field}:${code}`) : [];
  };
  expect(refused({})).toEqual(["event:REQUIRED", "data:REQUIRED"]);
  expect(refused({ event: "budget.exploded", data: [] })).toEqual(["event:INVALID_VALUE", "data:INVALID_TYPE"]);
  expect(refused({ event: "budget.created", data: { a: "x".repeat(65_536) } })).toEqual(["data:MAX_LENGTH"]);
  expect(parseInput(endpointTestSchema, {})._unsafeUnwrap()).toEqual({ event: "budget.created", data: {} });
});

it("marks an endpoint as healthy when a test call succeeds", async () => {
  const { context, owner, endpoint, store, clock } = await webhookWorld();
  await endpoint({ failingSince: clock.now() - 1, failedOn: [clock.now() - 1] });
  await testEndpoint(context, owner, "60", sample);
  expect(await store.findEndpoint("1", "60")).toMatchObject({ status: "ACTIVE", failingSince: null, failedOn: [] });
});

it("tests a disabled endpoint; a failed test does not change its health", async () => {
  const { context, owner, endpoint, store, sent, answerWith } = await webhookWorld();
  await endpoint({ status: "DISABLED", allowedIps: ["203.0.113.0/24"] });
  await endpoint({ id: "61" });
  expect((await testEndpoint(context, owner, "60", sample))._unsafeUnwrap()).toMatchObject({ status: "delivered" });
  expect(sent[0]).toMatchObject({ url: ENDPOINT_URL, allowedIps: ["203.0.113.0/24"] });
  answerWith(() => answered(410));
  expect((await testEndpoint(context, owner, "61", sample))._unsafeUnwrap()).toMatchObject({ status: "failed" });
  expect(await store.findEndpoint("1", "60")).toMatchObject({ status: "DISABLED", version: 1 });
  expect(await store.findEndpoint("1", "61")).toMatchObject({ status: "ACTIVE", failingSince: null, version: 1 });
});

it("allows OWNER and ADMIN to test an endpoint, ten times in any minute", async () => {
  const { context, owner, member, endpoint } = await webhookWorld();
  await endpoint();
  expect((await testEndpoint(context, member, "60", sample))._unsafeUnwrapErr().kind).toBe("forbidden");
  expect((await testEndpoint(context, owner, "61", sample))._unsafeUnwrapErr().kind).toBe("not-found");
  for (let count = 0; count < 10; count += 1) {
    expect((await testEndpoint(context, owner, "60", sample)).isOk()).toBe(true);
  }
  expect((await testEndpoint(context, owner, "60", sample))._unsafeUnwrapErr().kind).toBe("rate-limited");
});
