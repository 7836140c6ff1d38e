import { expect, it, vi } from "vitest";
import { replaceKeyCommit } from "../../access/access-commits.js";
import { MINUTE_MS } from "../../kernel/clock.js";
import { commitAndWake, idleWorld, runOut } from "../../testing/dispatch-world.js";
import { eventually } from "../../testing/event-loop.js";
import { answered, ENDPOINT_URL, webhookWorld } from "../../testing/webhook-world.js";
import { replaceEndpointCommit } from "../endpoint-commits.js";
import type { TickSummary } from "./run-tick.js";

const nothing: TickSummary = { fannedOut: 0, delivered: 0, retrying: 0, failed: 0, cancelled: 0, pruned: 0 };

it.each([
  ["suspended", { status: "SUSPENDED" }],
  ["revoked", { status: "REVOKED" }],
  ["without its URL", { webhookUrl: null }],
  ["expired", { expiresAt: 1 }],
  ["without the scope", { scopes: ["READ_CUSTOMERS"] }],
] as const)("cancels the deliveries that wait for a key that is %s by now", async (_, change) => {
  const world = await webhookWorld({}, () => answered(500));
  const { key } = await world.key();
  await world.commit({});
  await world.dispatcher.tick();
  await world.store.commit(replaceKeyCommit({ ...key, ...change, version: 2 }, 1));
  world.clock.advance(2 * MINUTE_MS);
  expect(await world.dispatcher.tick()).toEqual({ ...nothing, cancelled: 1 });
  expect(world.sent).toHaveLength(1);
  expect(await world.deliveries()).toMatchObject([{ status: "cancelled", attempts: 1, responseCode: 500 }]);
});

it("sends to the present URL of a subscriber, by its present allowedIps and retry policy", async () => {
  const world = await webhookWorld({}, () => answered(500));
  const endpoint = await world.endpoint();
  await world.commit({});
  await world.dispatcher.tick();
  const moved = { ...endpoint, url: "https://elsewhere.example/", allowedIps: ["203.0.113.0/24"] };
  await world.store.commit(replaceEndpointCommit({ ...moved, retryDelaysSeconds: [0, 60], version: 3 }, 2));
  await runOut(world);
  expect(world.sent.map(({ url }) => url)).toEqual([ENDPOINT_URL, "https://elsewhere.example/"]);
  expect(world.sent[1]?.allowedIps).toEqual(["203.0.113.0/24"]);
  expect(await world.deliveries()).toMatchObject([{ status: "failed", attempts: 2 }]);
});

it("sends nothing to a subscriber that was disabled during the fan-out", async () => {
  const world = await idleWorld();
  const endpoint = await world.endpoint();
  const { fanOut } = world.store;
  vi.spyOn(world.store, "fanOut").mockImplementation(async (event, deliveries) => {
    await world.store.commit(replaceEndpointCommit({ ...endpoint, status: "DISABLED", version: 2 }, 1));
    return fanOut(event, deliveries);
  });
  await commitAndWake(world);
  await eventually(async () => expect(await world.deliveries()).toMatchObject([{ status: "cancelled", attempts: 0 }]));
  expect(world.sent).toEqual([]);
  await world.dispatcher.stop();
});
