import { aDelivery, anApiKey, anEndpoint, memoryStore } from "@budgetkit/testing";
import { describe, expect, it, vi } from "vitest";
import { DAY_MS, HOUR_MS } from "../../kernel/clock.js";
import { checkedRetention, maintainWebhooks } from "./webhook-maintenance.js";

const NOW = 100 * DAY_MS;

describe("the upkeep of webhooks", () => {
  it("forgets what is older than the retention, thousands in one round", async () => {
    const store = memoryStore();
    for (let n = 1; n <= 2_500; n += 1) {
      await store.insertDelivery(aDelivery({ id: String(n), status: "delivered", updatedAt: NOW - DAY_MS - 1 }));
    }
    await store.insertDelivery(aDelivery({ id: "9999", status: "delivered", updatedAt: NOW - DAY_MS }));
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

  it("is bounded, however much there is", async () => {
    const store = { pruneDeliveries: vi.fn(async () => 1_000), clearReplacedSecrets: vi.fn(async () => 1_000) };
    await maintainWebhooks({ store, retentionMs: DAY_MS }, NOW);
    expect(store.pruneDeliveries).toHaveBeenCalledTimes(20);
    expect(store.clearReplacedSecrets).toHaveBeenCalledTimes(20);
  });

  it("forgets secrets whose grace is over", async () => {
    const store = memoryStore();
    await store.insertEndpoint(anEndpoint({ previousSealedSecret: "v1.old", previousSecretUntil: NOW }));
    await store.insertKey(anApiKey({ previousSealedWebhookSecret: "v1.old", previousWebhookSecretUntil: NOW }), null);
    await maintainWebhooks({ store, retentionMs: DAY_MS }, NOW);
    expect(await store.findEndpoint("1", "60")).toEqual(anEndpoint());
    expect(await store.findKey("1", "20")).toEqual(anApiKey());
  });
});

describe("the retention", () => {
  it("is an hour at least, and a number", () => {
    expect(checkedRetention(HOUR_MS)).toBe(HOUR_MS);
    for (const wrong of [HOUR_MS - 1, 0, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => checkedRetention(wrong)).toThrow(RangeError);
    }
  });
});
