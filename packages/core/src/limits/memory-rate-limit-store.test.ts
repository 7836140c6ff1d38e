import { rateLimitSuite } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { createMemoryRateLimitStore } from "./memory-rate-limit-store.js";

const once = [{ lengthMs: 1_000, limit: 1 }];

describe("the memory limiter", () => {
  rateLimitSuite({ describe, it }, async () => ({ limits: createMemoryRateLimitStore() }));

  it("the memory limiter keeps one log for each subject", async () => {
    const store = createMemoryRateLimitStore();
    expect((await store.consume("a", once, 0)).refusal).toBeNull();
    expect((await store.consume("b", once, 0)).refusal).toBeNull();
    expect((await store.consume("a", once, 1)).refusal).not.toBeNull();
  });

  it("countConsumed counts the admissions of a subject, and zero for an unknown one", async () => {
    const store = createMemoryRateLimitStore();
    await store.consume("a", once, 0);
    expect(await store.countConsumed("a", 1_000, 999)).toBe(1);
    expect(await store.countConsumed("a", 1_000, 1_000)).toBe(0);
    expect(await store.countConsumed("b", 1_000, 0)).toBe(0);
  });

  it("the memory limiter forgets idle subjects, at most `limit` of them", async () => {
    const store = createMemoryRateLimitStore();
    for (const subject of ["a", "b", "c"]) await store.consume(subject, once, 0);
    await store.consume("late", once, 500);
    expect(await store.pruneWindows(999, 10)).toBe(0);
    expect(await store.pruneWindows(1_000, 2)).toBe(2);
    expect(await store.pruneWindows(1_000, 2)).toBe(1);
    expect((await store.consume("late", once, 1_000)).refusal).not.toBeNull();
  });
});
