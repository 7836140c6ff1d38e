import { anApiKey } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../kernel/clock.js";
import { createMemoryRateLimitStore } from "./memory-rate-limit-store.js";
import type { RateLimitStore } from "./rate-limit-store.js";
import { admitKeyRequest, burstOf, currentUsageOf } from "./rate-limiter.js";

const START = Date.UTC(2026, 2, 2);

describe("burstOf", () => {
  it.each([
    [1, 100],
    [1_000, 100],
    [3_029, 100],
    [3_030, 101],
    [25_000, 833],
  ])("allows a key of %i requests an hour %2$i a minute", (perHour, perMinute) => {
    expect(burstOf(perHour)).toBe(perMinute);
  });
});

describe("admitKeyRequest", () => {
  it("counts down the hour of a key and returns when its oldest request leaves", async () => {
    const store = createMemoryRateLimitStore();
    const key = anApiKey({ rateLimitPerHour: 1_000 });
    await admitKeyRequest(store, key, START);
    expect(await admitKeyRequest(store, key, START + 7)).toEqual({
      limit: 1_000,
      burst: 100,
      remaining: 998,
      resetAt: START + HOUR_MS,
      refusal: null,
    });
  });

  it("refuses the 101st request of a minute with the minute's limit, and charges neither window (RATE_LIMIT_EXCEEDED)", async () => {
    const store = createMemoryRateLimitStore();
    const key = anApiKey({ rateLimitPerHour: 1_000 });
    for (let request = 0; request < 100; request += 1) await admitKeyRequest(store, key, START);
    expect(await admitKeyRequest(store, key, START + 1_500)).toEqual({
      limit: 1_000,
      burst: 100,
      remaining: 900,
      resetAt: START + HOUR_MS,
      refusal: { limit: 100, remaining: 0, resetAt: START + MINUTE_MS, retryAfterSeconds: 59 },
    });
    expect((await admitKeyRequest(store, key, START + MINUTE_MS)).remaining).toBe(899);
  });

  it("refuses a request beyond the hour with the hour's limit (RATE_LIMIT_EXCEEDED)", async () => {
    const store = createMemoryRateLimitStore();
    const key = anApiKey({ rateLimitPerHour: 1 });
    await admitKeyRequest(store, key, START);
    expect((await admitKeyRequest(store, key, START + 1)).refusal).toEqual({
      limit: 1,
      remaining: 0,
      resetAt: START + HOUR_MS,
      retryAfterSeconds: 3_600,
    });
    expect((await admitKeyRequest(store, key, START + HOUR_MS - 1)).refusal?.retryAfterSeconds).toBe(1);
  });

  it("reports zero requests remaining when the limit was lowered below the used ones", async () => {
    const store = createMemoryRateLimitStore();
    for (const at of [0, 10, 20]) await admitKeyRequest(store, anApiKey({ rateLimitPerHour: 3 }), START + at);
    expect(await admitKeyRequest(store, anApiKey({ rateLimitPerHour: 2 }), START + 30)).toMatchObject({
      remaining: 0,
      refusal: { limit: 2, resetAt: START + 10 + HOUR_MS },
    });
  });

  it("reports at least one second to wait when the window admits again at once", async () => {
    const admission = { used: 1, freesAt: 0, refusal: { window: 1, freesAt: START } };
    const store: RateLimitStore = {
      consume: async () => admission,
      countConsumed: async () => 0,
      pruneWindows: async () => 0,
    };
    expect((await admitKeyRequest(store, anApiKey(), START)).refusal?.retryAfterSeconds).toBe(1);
  });

  it("keeps the rate limits of keys and of businesses apart", async () => {
    const store = createMemoryRateLimitStore();
    const once = { rateLimitPerHour: 1 };
    await admitKeyRequest(store, anApiKey({ ...once, id: "1" }), START);
    expect((await admitKeyRequest(store, anApiKey({ ...once, id: "2" }), START)).refusal).toBeNull();
    expect((await admitKeyRequest(store, anApiKey({ ...once, id: "1", businessId: "9" }), START)).refusal).toBeNull();
    expect((await admitKeyRequest(store, anApiKey({ ...once, id: "1" }), START)).refusal).not.toBeNull();
  });
});

describe("currentUsageOf", () => {
  it("currentUsageOf counts the key's own requests of the last hour, and charges nothing", async () => {
    const store = createMemoryRateLimitStore();
    const key = anApiKey();
    expect(await currentUsageOf(store, key, START)).toBe(0);
    for (const at of [0, MINUTE_MS]) await admitKeyRequest(store, key, START + at);
    await admitKeyRequest(store, anApiKey({ id: "99" }), START);
    for (let asked = 0; asked < 3; asked += 1) expect(await currentUsageOf(store, key, START + MINUTE_MS)).toBe(2);
    expect(await currentUsageOf(store, key, START + HOUR_MS)).toBe(1);
  });
});
