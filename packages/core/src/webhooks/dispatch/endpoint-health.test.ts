import { aMail } from "@budgetkit/testing";
import { expect, it, vi } from "vitest";
import { mailEntryOf } from "../../budgets/mail.js";
import { DAY_MS } from "../../kernel/clock.js";
import { aUserActor } from "../../testing/access-world.js";
import { webhookWorld } from "../../testing/webhook-world.js";
import { removeEndpointCommit, replaceEndpointCommit } from "../endpoint-commits.js";
import { updateEndpoint } from "../endpoints/manage-endpoints.js";
import {
  decideHealth,
  type HealthSignal,
  isNews,
  type RecordedHealth,
  recordHealth,
  recordHealthOnce,
} from "./endpoint-health.js";

it("marks an endpoint as failing by its first failure, and as healthy by a success", async () => {
  const { endpoint, clock } = await webhookWorld();
  const healthy = await endpoint();
  const now = clock.now();
  expect(decideHealth(healthy, "works", now)).toBeNull();
  const failing = decideHealth(healthy, "failed", now) ?? healthy;
  expect(failing).toEqual({ ...healthy, failingSince: now, failedOn: [now] });
  expect(decideHealth(failing, "failed", now + 1)).toBeNull();
  expect(decideHealth(failing, "works", now + 1)).toEqual({ ...healthy, failedOn: [] });
});

it("disables an endpoint after failures on five days and five days without a success, and names the days", async () => {
  const { endpoint, clock } = await webhookWorld();
  const start = clock.now();
  const days = (...numbers: number[]) => numbers.map((day) => start + day * DAY_MS);
  const failing = await endpoint({ failingSince: start, failedOn: days(0, 1, 2, 3, 4) });
  expect(decideHealth(failing, "failed", start + 5 * DAY_MS - 1)).toBeNull();
  expect(decideHealth(failing, "failed", start + 5 * DAY_MS)).toEqual({
    ...failing,
    failedOn: days(0, 1, 2, 3, 4, 5),
    status: "DISABLED",
    disabledReason: "Every call since 2026-03-02T12:00:00.000Z failed, on 6 different days.",
  });
});

it("keeps an endpoint ACTIVE through failures that quiet days separate, until there are five days of them", async () => {
  const { endpoint, clock } = await webhookWorld();
  const start = clock.now();
  let current = await endpoint();
  for (const week of [0, 1, 2, 3]) {
    const now = start + 7 * week * DAY_MS;
    current = decideHealth(current, "failed", now) ?? current;
    for (const retryMs of [60_000, DAY_MS - 1]) expect(decideHealth(current, "failed", now + retryMs)).toBeNull();
  }
  expect(current).toMatchObject({ status: "ACTIVE", failingSince: start });
  expect(decideHealth(current, "failed", start + 28 * DAY_MS)).toMatchObject({ status: "DISABLED" });
});

it("begins to count days where failingSince was stored without failedOn", async () => {
  const { endpoint, clock } = await webhookWorld();
  const now = clock.now();
  const failing = await endpoint({ failingSince: now - 9 * DAY_MS });
  expect(decideHealth(failing, "failed", now)).toEqual({ ...failing, failedOn: [now] });
});

it("disables an endpoint at once by 410 Gone", async () => {
  const { endpoint, clock } = await webhookWorld();
  const healthy = await endpoint();
  const gone = decideHealth(healthy, "gone", clock.now()) ?? healthy;
  expect(gone).toMatchObject({ status: "DISABLED", disabledReason: "The receiver answered 410 Gone." });
  expect(decideHealth(gone, "works", clock.now())).toBeNull();
});

it("reads no endpoint after a success that cannot change its health", async () => {
  const { endpoint, clock } = await webhookWorld();
  const healthy = await endpoint();
  const now = clock.now();
  expect(isNews({ endpoint: healthy, signal: "works", now }, false)).toBe(false);
  expect(isNews({ endpoint: healthy, signal: "works", now }, true)).toBe(true);
  expect(isNews({ endpoint: { ...healthy, failingSince: now }, signal: "works", now }, false)).toBe(true);
  for (const signal of ["failed", "gone"] as const)
    expect(isNews({ endpoint: healthy, signal, now }, false)).toBe(true);
});

it("writes the health of an endpoint beside the changes of others, not over them", async () => {
  const { endpoint, context, store, clock } = await webhookWorld();
  const seen = await endpoint();
  await store.commit(replaceEndpointCommit({ ...seen, version: 2, description: "meanwhile" }, 1));
  await recordHealth(context, { endpoint: seen, signal: "failed", now: clock.now() });
  expect(await store.findEndpoint("1", seen.id)).toMatchObject({
    version: 3,
    description: "meanwhile",
    failingSince: clock.now(),
  });
});

it("records no failure of a URL that was replaced during the call", async () => {
  const { endpoint, context, store, clock, owner } = await webhookWorld();
  const seen = await endpoint();
  await updateEndpoint(context, owner, seen.id, { url: "https://elsewhere.example/" });
  await recordHealth(context, { endpoint: seen, signal: "gone", now: clock.now() });
  expect(await store.findEndpoint("1", seen.id)).toMatchObject({ status: "ACTIVE", version: 2 });
  await updateEndpoint(context, owner, seen.id, { url: seen.url });
  await recordHealth(context, { endpoint: seen, signal: "gone", now: clock.now() });
  expect(await store.findEndpoint("1", seen.id)).toMatchObject({ status: "ACTIVE", version: 3 });
});

it("records no failure of a call that began before the endpoint was made ACTIVE again", async () => {
  const { endpoint, context, store, clock, owner } = await webhookWorld();
  const seen = await endpoint();
  await recordHealth(context, { endpoint: seen, signal: "gone", now: clock.now() });
  await updateEndpoint(context, owner, seen.id, { status: "ACTIVE" });
  for (const sign of ["gone", "failed"] as const)
    await recordHealth(context, { endpoint: seen, signal: sign, now: clock.now() });
  expect(await store.findEndpoint("1", seen.id)).toMatchObject({ status: "ACTIVE", failingSince: null });
});

it("leaves an audit entry by the system when an endpoint is disabled, and none before", async () => {
  const { endpoint, context, store, clock } = await webhookWorld();
  const seen = await endpoint();
  const query = {
    type: "webhook.updated",
    subjectId: seen.id,
    since: null,
    until: null,
    limit: 10,
    offset: 0,
  } as const;
  const entries = async () => (await store.listEvents("1", query)).entries;
  await recordHealth(context, { endpoint: seen, signal: "failed", now: clock.now() });
  expect(await entries()).toEqual([]);
  await recordHealth(context, { endpoint: seen, signal: "gone", now: clock.now() });
  const changes = {
    status: { from: "ACTIVE", to: "DISABLED" },
    disabledReason: { from: null, to: "The receiver answered 410 Gone." },
  };
  expect(await entries()).toMatchObject([{ actor: "system", subjectId: seen.id, data: { changes } }]);
});

it("marks an endpoint as healthy by a success whose call began before another one failed", async () => {
  const { endpoint, context, store, clock } = await webhookWorld();
  const seen = await endpoint();
  await recordHealth(context, { endpoint: seen, signal: "failed", now: clock.now() });
  await recordHealth(context, { endpoint: seen, signal: "works", now: clock.now() });
  expect(await store.findEndpoint("1", seen.id)).toMatchObject({ failingSince: null });
});

it("reads an endpoint once for the successes of one turn, and for every failure", async () => {
  const { endpoint, context, store, clock } = await webhookWorld();
  const seen = await endpoint();
  const finding = vi.spyOn(store, "findEndpoint");
  const recorded: RecordedHealth = new Map();
  const report = (signal: HealthSignal) =>
    recordHealthOnce(context, { endpoint: seen, signal, now: clock.now() }, recorded);
  await Promise.all([report("works"), report("works"), report("works")]);
  expect(finding).toHaveBeenCalledTimes(1);
  await report("failed");
  await report("failed");
  expect(finding).toHaveBeenCalledTimes(3);
  expect(await store.findEndpoint("1", seen.id)).toMatchObject({ failingSince: clock.now() });
});

it("records no health of a deleted endpoint, and gives up after ten conflicts", async () => {
  const { endpoint, context, store, clock } = await webhookWorld();
  const seen = await endpoint();
  await store.commit(removeEndpointCommit("1", seen.id));
  await recordHealth(context, { endpoint: seen, signal: "failed", now: clock.now() });
  expect(await store.findEndpoint("1", seen.id)).toBeNull();
  const commit = vi.fn(async () => ({ kind: "refused", by: "stale" }) as const);
  const contested = { ...context, commit, store: { ...store, findEndpoint: async () => seen } };
  await recordHealth(contested, { endpoint: seen, signal: "failed", now: clock.now() });
  expect(commit).toHaveBeenCalledTimes(10);
});

it("queues the mail about a disabled endpoint with the commit that disables it, once", async () => {
  const { endpoint, context, clock, store } = await webhookWorld();
  const seen = await endpoint();
  const { id, businessId } = seen;
  const mail = aMail({ kind: "seller.endpointDisabled", businessId, budgetId: id, message: seen.url });
  const tellDisabled = async () => [{ mail, audit: await mailEntryOf(context.ids, aUserActor("OWNER"), mail) }];
  for (const _ of [1, 2]) {
    await recordHealth({ ...context, tellDisabled }, { endpoint: seen, signal: "gone", now: clock.now() });
  }
  expect((await store.listMails(businessId, id, 10, 0)).total).toBe(1);
});
