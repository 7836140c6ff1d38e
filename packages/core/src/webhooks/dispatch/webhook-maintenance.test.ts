import { aDelivery, anApiKey, anEndpoint, memoryStore } from "@budgetkit/testing";
import { expect, it, vi } from "vitest";
import { insertKeyCommit } from "../../access/access-commits.js";
import { DAY_MS, HOUR_MS } from "../../kernel/clock.js";
import { insertEndpointCommit, testDeliveryCommit } from "../endpoint-commits.js";
import { checkedRetention, maintainWebhooks } from "./webhook-maintenance.js";

const NOW = 100 * DAY_MS;

it("removes deliveries older than the retention, thousands in one round", async () => {
  const store = memoryStore();
  for (let n = 1; n <= 2_500; n += 1) {
    await store.commit(
      testDeliveryCommit(aDelivery({ id: String(n), status: "delivered", updatedAt: NOW - DAY_MS - 1 })),
    );
  }
  await store.commit(testDeliveryCommit(aDelivery({ id: "9999", status: "delivered", updatedAt: NOW - DAY_MS })));
  await maintainWebhooks({ store, retentionMs: DAY_MS }, NOW);
  const left = await store.listDeliveries("1", {
    subscriber: null,
    status: null,
    eventType: null,
    limit: 9,
    offset: 0,
  });
  expect(left.entries.map(({ id }) => id)).toEqual(["9999"]);
});

it("takes a bounded number of steps in a round, for any backlog", async () => {
  const store = { pruneDeliveries: vi.fn(async () => 1_000), clearReplacedSecrets: vi.fn(async () => 1_000) };
  await maintainWebhooks({ store, retentionMs: DAY_MS }, NOW);
  expect(store.pruneDeliveries).toHaveBeenCalledTimes(20);
  expect(store.clearReplacedSecrets).toHaveBeenCalledTimes(20);
});

it("removes replaced secrets whose grace period is over", async () => {
  const store = memoryStore();
  await store.commit(insertEndpointCommit(anEndpoint({ previousSealedSecret: "v1.old", previousSecretUntil: NOW })));
  await store.commit(
    insertKeyCommit(anApiKey({ previousSealedWebhookSecret: "v1.old", previousWebhookSecretUntil: NOW })),
  );
  await maintainWebhooks({ store, retentionMs: DAY_MS }, NOW);
  expect(await store.findEndpoint("1", "60")).toEqual(anEndpoint());
  expect(await store.findKey("1", "20")).toEqual(anApiKey());
});

it("requires a retention of at least an hour", () => {
  expect(checkedRetention(HOUR_MS)).toBe(HOUR_MS);
  for (const wrong of [HOUR_MS - 1, 0, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => checkedRetention(wrong)).toThrow(RangeError);
  }
});
