import { describe, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../kernel/clock.js";
import { anApiKey } from "../testing/fixtures.js";
import { createMemoryRateLimitStore } from "./memory-rate-limit-store.js";
import type { RateLimitStore } from "./rate-limit-store.js";
import { admitKeyRequest, admitLogin, burstOf, currentUsageOf, recordLogin } from "./rate-limiter.js";

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
  it("counts down the hour and tells when its oldest request leaves", async () => {
    const store = createMemoryRateLimitStore();
    const key = anApiKey({ rateLimitPerHour: 1_000 });
    await admitKeyRequest(store, key, START);
    expect(await admitKeyRequest(store, key, START + 7)).toEqual({
      admitted: true,
      limit: 1_000,
      remaining: 998,
      resetAt: START + HOUR_MS,
      refusal: null,
    });
  });

  it("refuses the 101st request of a minute in the minute's words, and charges neither window", async () => {
    const store = createMemoryRateLimitStore();
    const key = anApiKey({ rateLimitPerHour: 1_000 });
    for (let request = 0; request < 100; request += 1) await admitKeyRequest(store, key, START);
    expect(await admitKeyRequest(store, key, START + 1_500)).toEqual({
      admitted: false,
      limit: 1_000,
      remaining: 900,
      resetAt: START + HOUR_MS,
      refusal: { limit: 100, remaining: 0, resetAt: START + MINUTE_MS, retryAfterSeconds: 59 },
    });
    expect((await admitKeyRequest(store, key, START + MINUTE_MS)).remaining).toBe(899);
  });

  it("refuses what exceeds the hour in the hour's words", async () => {
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

  it("has no requests remaining, never fewer, once the limit was lowered below what is used", async () => {
    const store = createMemoryRateLimitStore();
    for (const at of [0, 10, 20]) await admitKeyRequest(store, anApiKey({ rateLimitPerHour: 3 }), START + at);
    expect(await admitKeyRequest(store, anApiKey({ rateLimitPerHour: 2 }), START + 30)).toMatchObject({
      remaining: 0,
      refusal: { limit: 2, resetAt: START + 10 + HOUR_MS },
    });
  });

  it("says to wait at least a second when the place is free by the time of the answer", async () => {
    const admission = {
      admitted: false,
      refusedBy: 1,
      windows: [
        { used: 1, freesAt: 0 },
        { used: 1, freesAt: START },
      ],
    };
    const store: RateLimitStore = {
      admit: async () => admission,
      countAdmitted: async () => 0,
      pruneWindows: async () => 0,
    };
    expect((await admitKeyRequest(store, anApiKey(), START)).refusal?.retryAfterSeconds).toBe(1);
  });

  it("keeps keys and businesses apart", async () => {
    const store = createMemoryRateLimitStore();
    const once = { rateLimitPerHour: 1 };
    await admitKeyRequest(store, anApiKey({ ...once, id: "1" }), START);
    expect((await admitKeyRequest(store, anApiKey({ ...once, id: "2" }), START)).admitted).toBe(true);
    expect((await admitKeyRequest(store, anApiKey({ ...once, id: "1", businessId: "9" }), START)).admitted).toBe(true);
    expect((await admitKeyRequest(store, anApiKey({ ...once, id: "1" }), START)).admitted).toBe(false);
  });
});

describe("currentUsageOf", () => {
  it("counts the key's requests of the last hour, its own alone, and charges nothing", async () => {
    const store = createMemoryRateLimitStore();
    const key = anApiKey();
    expect(await currentUsageOf(store, key, START)).toBe(0);
    for (const at of [0, MINUTE_MS]) await admitKeyRequest(store, key, START + at);
    await admitKeyRequest(store, anApiKey({ id: "99" }), START);
    for (let asked = 0; asked < 3; asked += 1) expect(await currentUsageOf(store, key, START + MINUTE_MS)).toBe(2);
    expect(await currentUsageOf(store, key, START + HOUR_MS)).toBe(1);
  });
});

describe("admitLogin", () => {
  const QUARTER_MS = 15 * MINUTE_MS;

  it("leaves ten failures however often the person logs in, before and in between", async () => {
    const store = createMemoryRateLimitStore();
    const attempt = (at: number) => admitLogin(store, "ana@example.com", null, START + at);
    for (let login = 0; login < 30; login += 1) {
      expect((await attempt(login)).admitted).toBe(true);
      await recordLogin(store, "ana@example.com", START + login);
    }
    for (let failure = 0; failure < 9; failure += 1) expect((await attempt(100)).admitted).toBe(true);
    expect((await attempt(100)).admitted).toBe(true);
    await recordLogin(store, "ana@example.com", START + 100);
    expect((await attempt(101)).admitted).toBe(true);
    expect(await attempt(102)).toMatchObject({ admitted: false, limit: 10 });
    expect((await admitLogin(store, "bea@example.com", null, START)).admitted).toBe(true);
  });

  it("takes a success for as long as the attempt itself counts, so that it never leaves room for more guesses", async () => {
    const store = createMemoryRateLimitStore();
    const attempt = (at: number) => admitLogin(store, "ana@example.com", null, START + at);
    for (let login = 0; login < 5; login += 1) {
      await attempt(0);
      await recordLogin(store, "ana@example.com", START);
    }
    for (let failure = 0; failure < 10; failure += 1) expect((await attempt(1)).admitted).toBe(true);
    expect((await attempt(QUARTER_MS - 1)).admitted).toBe(false);
    expect((await attempt(QUARTER_MS)).admitted).toBe(false);
    expect((await attempt(QUARTER_MS + 1)).admitted).toBe(true);
  });

  it("admits no more than ten guesses that come at once", async () => {
    const store = createMemoryRateLimitStore();
    const guesses = Array.from({ length: 40 }, () => admitLogin(store, "ana@example.com", null, START));
    expect((await Promise.all(guesses)).filter(({ admitted }) => admitted)).toHaveLength(10);
  });

  it("allows an account 10 attempts in 15 minutes, from wherever they come", async () => {
    const store = createMemoryRateLimitStore();
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      expect(await admitLogin(store, "ana@example.com", `203.0.113.${attempt}`, START)).toEqual({ admitted: true });
    }
    expect(await admitLogin(store, "ana@example.com", "203.0.113.99", START + 1)).toEqual({
      admitted: false,
      limit: 10,
      resetAt: START + QUARTER_MS,
      retryAfterSeconds: 900,
    });
    expect((await admitLogin(store, "ana@example.com", null, START + QUARTER_MS)).admitted).toBe(true);
  });

  it.each([
    ["one IPv4 address", () => "203.0.113.7"],
    ["IPv4 in both notations", (attempt: number) => (attempt % 2 === 0 ? "203.0.113.7" : "::ffff:203.0.113.7")],
    ["an IPv6 /64", (attempt: number) => `2001:db8:0:1::${attempt.toString(16)}`],
  ])("allows %s 50 attempts in 15 minutes, whatever the accounts", async (_, addressOf) => {
    const store = createMemoryRateLimitStore();
    for (let attempt = 1; attempt <= 50; attempt += 1) {
      expect((await admitLogin(store, `user${attempt}`, addressOf(attempt), START)).admitted).toBe(true);
    }
    expect(await admitLogin(store, "user51", addressOf(51), START)).toMatchObject({ admitted: false, limit: 50 });
    expect((await admitLogin(store, "user51", "203.0.113.8", START)).admitted).toBe(true);
    expect((await admitLogin(store, "user51", "2001:db8:0:2::1", START)).admitted).toBe(true);
  });

  it("charges the account alone where the address is unknown", async () => {
    const store = createMemoryRateLimitStore();
    for (let attempt = 1; attempt <= 60; attempt += 1) {
      const address = attempt % 2 === 0 ? null : "not an address";
      expect((await admitLogin(store, `user${attempt}`, address, START)).admitted).toBe(true);
    }
    for (let attempt = 1; attempt <= 10; attempt += 1) await admitLogin(store, "ana", null, START);
    expect(await admitLogin(store, "ana", null, START)).toMatchObject({ admitted: false, limit: 10 });
  });

  it("charges no account for attempts from an address that is refused", async () => {
    const store = createMemoryRateLimitStore();
    for (let attempt = 1; attempt <= 50; attempt += 1) await admitLogin(store, `user${attempt}`, "203.0.113.7", START);
    for (let attempt = 1; attempt <= 50; attempt += 1) await admitLogin(store, "ana", "203.0.113.7", START);
    expect((await admitLogin(store, "ana", "203.0.113.8", START)).admitted).toBe(true);
  });

  it("shows the store neither emails nor addresses", async () => {
    const subjects: string[] = [];
    const memory = createMemoryRateLimitStore();
    const store: RateLimitStore = {
      ...memory,
      admit: (subject, windows, now) => {
        subjects.push(subject);
        return memory.admit(subject, windows, now);
      },
    };
    await admitLogin(store, "ana@example.com", "203.0.113.7", START);
    expect(subjects).toHaveLength(2);
    for (const subject of subjects) expect(subject).toMatch(/^login:(address|account):[0-9a-f]{64}$/);
  });
});
