import { describe, expect, it } from "vitest";
import { rateLimitSuite } from "../testing/store-suite/rate-limit-suite.js";
import { createMemoryRateLimitStore } from "./memory-rate-limit-store.js";

const once = [{ lengthMs: 1_000, limit: 1 }];

describe("the memory limiter", () => {
  rateLimitSuite({ describe, it }, async () => ({ limits: createMemoryRateLimitStore() }));

  it("keeps a log a subject", async () => {
    const store = createMemoryRateLimitStore();
    expect((await store.admit("a", once, 0)).admitted).toBe(true);
    expect((await store.admit("b", once, 0)).admitted).toBe(true);
    expect((await store.admit("a", once, 1)).admitted).toBe(false);
  });

  it("counts what a subject was admitted, and nothing of one that it does not know", async () => {
    const store = createMemoryRateLimitStore();
    await store.admit("a", once, 0);
    expect(await store.countAdmitted("a", 1_000, 999)).toBe(1);
    expect(await store.countAdmitted("a", 1_000, 1_000)).toBe(0);
    expect(await store.countAdmitted("b", 1_000, 0)).toBe(0);
  });

  it("forgets the subjects that count nothing any more, as many as it is told to", async () => {
    const store = createMemoryRateLimitStore();
    for (const subject of ["a", "b", "c"]) await store.admit(subject, once, 0);
    await store.admit("late", once, 500);
    expect(await store.pruneWindows(999, 10)).toBe(0);
    expect(await store.pruneWindows(1_000, 2)).toBe(2);
    expect(await store.pruneWindows(1_000, 2)).toBe(1);
    expect((await store.admit("late", once, 1_000)).admitted).toBe(false);
  });
});
