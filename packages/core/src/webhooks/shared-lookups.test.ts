import type { LookupAddress } from "node:dns";
import { afterEach, describe, expect, it, vi } from "vitest";
import { sharedLookups } from "./shared-lookups.js";

/** A resolver that answers when it is told to. */
function slowResolver() {
  const asked: string[] = [];
  const answers: ((addresses: readonly LookupAddress[] | null) => void)[] = [];
  const lookUp = sharedLookups((hostname) => {
    asked.push(hostname);
    return new Promise((resolve, reject) => {
      answers.push((addresses) => (addresses === null ? reject(new Error("unknown")) : resolve(addresses)));
    });
  });
  return { asked, answers, lookUp };
}

const HERE: readonly LookupAddress[] = [{ address: "192.0.2.1", family: 4 }];
const THERE: readonly LookupAddress[] = [{ address: "192.0.2.2", family: 4 }];

describe("shared lookups", () => {
  afterEach(() => void vi.useRealTimers());

  it("ask once for all who want to know a name at the same time", async () => {
    const { asked, answers, lookUp } = slowResolver();
    const both = Promise.all([lookUp("shop.example"), lookUp("shop.example"), lookUp("other.example")]);
    expect(asked).toEqual(["shop.example", "other.example"]);
    answers[1]?.(THERE);
    answers[0]?.(HERE);
    expect(await both).toEqual([HERE, HERE, THERE]);
  });

  it("keep no answer: who asks afterwards hears what is true by then", async () => {
    const { answers, lookUp } = slowResolver();
    const first = lookUp("shop.example");
    answers[0]?.(HERE);
    expect(await first).toBe(HERE);
    const second = lookUp("shop.example");
    answers[1]?.(THERE);
    expect(await second).toBe(THERE);
  });

  it("fail for all who asked, and not for those who come later", async () => {
    const { answers, lookUp } = slowResolver();
    const both = Promise.allSettled([lookUp("shop.example"), lookUp("shop.example")]);
    answers[0]?.(null);
    expect((await both).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const later = lookUp("shop.example");
    answers[1]?.(HERE);
    expect(await later).toBe(HERE);
  });

  it("wait for none that hangs: another is begun, and the late answer disturbs nobody", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { asked, answers, lookUp } = slowResolver();
    void lookUp("shop.example");
    vi.advanceTimersByTime(29_999);
    void lookUp("shop.example");
    expect(asked).toHaveLength(1);
    vi.advanceTimersByTime(1);
    const second = lookUp("shop.example");
    answers[0]?.(HERE);
    await Promise.resolve();
    const third = lookUp("shop.example");
    expect(asked).toHaveLength(2);
    answers[1]?.(THERE);
    expect(await Promise.all([second, third])).toEqual([THERE, THERE]);
  });
});
