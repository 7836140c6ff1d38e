import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createHashingQueue, HasherOverloaded, isHasherOverloaded } from "./hashing-queue.js";

/** Hashings that stay under way until the test finishes them, in the order in which they began. */
function slowHashings() {
  const finishers: (() => void)[] = [];
  const began: number[] = [];
  const hashing = (number: number) => () => {
    began.push(number);
    return new Promise<number>((resolve) => {
      finishers.push(() => resolve(number));
    });
  };
  const finishNext = async () => {
    finishers.shift()?.();
    await setImmediate();
  };
  return { hashing, began, finishNext };
}

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

describe("the hashing queue", () => {
  it("runs no more at once than it was told to, and the others in their order", async () => {
    const { hashing, began, finishNext } = slowHashings();
    const queue = createHashingQueue(2);
    const all = Promise.all(numbers(5).map((number) => queue(hashing(number))));
    await setImmediate();
    for (let done = 0; done < 5; done += 1) {
      expect(began).toEqual(numbers(Math.min(5, 2 + done)));
      await finishNext();
    }
    expect(await all).toEqual(numbers(5));
  });

  it("lets 64 wait and rejects those beyond, which keeps none of the others from its turn", async () => {
    const { hashing, began, finishNext } = slowHashings();
    const queue = createHashingQueue(2);
    const accepted = Promise.all(numbers(66).map((number) => queue(hashing(number))));
    await expect(queue(hashing(66))).rejects.toThrow(HasherOverloaded);
    await finishNext();
    const next = queue(hashing(67));
    for (let done = 0; done < 66; done += 1) await finishNext();
    expect(await accepted).toEqual(numbers(66));
    expect(await next).toBe(67);
    expect(began).not.toContain(66);
  });

  it("goes on after a hashing that failed", async () => {
    const queue = createHashingQueue(1);
    const failing = queue(() => Promise.reject(new Error("out of memory")));
    const next = queue(async () => "hash");
    await expect(failing).rejects.toThrow("out of memory");
    expect(await next).toBe("hash");
  });

  it("knows its error by name, whichever module format it comes from", () => {
    class HasherOverloaded extends Error {
      override readonly name = "HasherOverloaded";
    }
    expect(isHasherOverloaded(new HasherOverloaded())).toBe(true);
    expect(isHasherOverloaded(new Error("HasherOverloaded"))).toBe(false);
    expect(isHasherOverloaded("HasherOverloaded")).toBe(false);
  });
});
