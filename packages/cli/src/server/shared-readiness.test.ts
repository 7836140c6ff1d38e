import { manualClock } from "@budgetkit/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { sharedReadiness } from "./shared-readiness.js";

/** A question whose answers a test gives. */
function askedWorld() {
  const clock = manualClock();
  const asked: { answer(outage: string | null): void; fail(): void }[] = [];
  const findOutage = sharedReadiness(
    () =>
      new Promise((resolve, reject) => {
        asked.push({ answer: resolve, fail: () => reject(new Error("away")) });
      }),
    clock,
  );
  return { clock, asked, findOutage };
}

describe("whether a server can serve", () => {
  it("checks the readiness once for all who ask meanwhile", async () => {
    const { asked, findOutage } = askedWorld();
    const answers = [findOutage(), findOutage(), findOutage()];
    asked[0]?.answer(null);
    expect(await Promise.all(answers)).toEqual([null, null, null]);
    expect(asked).toHaveLength(1);
  });

  it.each([
    [null, "the disk is full"],
    ["the disk is full", null],
  ])("keeps an answer about readiness for a second, then checks again: %s", async (first, second) => {
    const { clock, asked, findOutage } = askedWorld();
    const before = findOutage();
    clock.advance(5_000); // the answer is slow in coming
    asked[0]?.answer(first);
    expect(await before).toBe(first);
    clock.advance(999);
    expect(await findOutage()).toBe(first);
    clock.advance(1);
    const after = findOutage();
    asked[1]?.answer(second);
    expect(await after).toBe(second);
    expect(asked).toHaveLength(2);
  });

  it("reports an outage when the readiness check fails", async () => {
    const { asked, findOutage } = askedWorld();
    const answer = findOutage();
    asked[0]?.fail();
    expect(await answer).toBe("the check failed");
  });

  it("reports an outage when a readiness check takes two seconds, then checks again", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { clock, asked, findOutage } = askedWorld();
    const answer = findOutage();
    await vi.advanceTimersByTimeAsync(1_999);
    const meanwhile = findOutage();
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await Promise.all([answer, meanwhile])).toEqual([
      "no answer within two seconds",
      "no answer within two seconds",
    ]);
    asked[0]?.fail(); // after the last call that waits for it
    clock.advance(1_000);
    const after = findOutage();
    asked[1]?.answer(null);
    expect(await after).toBeNull();
    expect(vi.getTimerCount()).toBe(0);
  });
});
