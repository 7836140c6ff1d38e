import { manualClock } from "@budgetkit/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { sharedReadiness } from "./shared-readiness.js";

/** A question whose answers a test gives. */
function askedWorld() {
  const clock = manualClock();
  const asked: { answer(isReady: boolean): void; fail(): void }[] = [];
  const isReady = sharedReadiness(
    () =>
      new Promise((resolve, reject) => {
        asked.push({ answer: resolve, fail: () => reject(new Error("away")) });
      }),
    clock,
  );
  return { clock, asked, isReady };
}

describe("whether a server can serve", () => {
  it("is asked once for all who want to know meanwhile", async () => {
    const { asked, isReady } = askedWorld();
    const answers = [isReady(), isReady(), isReady()];
    asked[0]?.answer(true);
    expect(await Promise.all(answers)).toEqual([true, true, true]);
    expect(asked).toHaveLength(1);
  });

  it.each([true, false])("is known for a second, and asked again then: %s", async (first) => {
    const { clock, asked, isReady } = askedWorld();
    const before = isReady();
    clock.advance(5_000); // the answer is slow in coming
    asked[0]?.answer(first);
    expect(await before).toBe(first);
    clock.advance(999);
    expect(await isReady()).toBe(first);
    clock.advance(1);
    const after = isReady();
    asked[1]?.answer(!first);
    expect(await after).toBe(!first);
    expect(asked).toHaveLength(2);
  });

  it("is not so when it cannot be told", async () => {
    const { asked, isReady } = askedWorld();
    const answer = isReady();
    asked[0]?.fail();
    expect(await answer).toBe(false);
  });

  it("is not so when no answer comes in two seconds, and asked again then", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { clock, asked, isReady } = askedWorld();
    const answer = isReady();
    await vi.advanceTimersByTimeAsync(1_999);
    const meanwhile = isReady();
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await Promise.all([answer, meanwhile])).toEqual([false, false]);
    asked[0]?.fail(); // too late for anybody to hear
    clock.advance(1_000);
    const after = isReady();
    asked[1]?.answer(true);
    expect(await after).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});
