import { describe, expect, it } from "vitest";
import { createOneAtATime } from "./one-at-a-time.js";

/** Work that ends when the test says so. */
function world() {
  const run = createOneAtATime();
  const started: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const add = (key: string, name: string) =>
    run(key, () => {
      started.push(name);
      return new Promise<string>((resolve, reject) => {
        ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error)));
      });
    });
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error);
    await new Promise(setImmediate);
  };
  return { add, end, started };
}

describe("calls one at a time", () => {
  it("runs calls of one key in the order of arrival, and calls of different keys concurrently", async () => {
    const { add, end, started } = world();
    const results = Promise.all([add("a", "a1"), add("a", "a2"), add("b", "b1"), add("a", "a3")]);
    await end("");
    expect(started).toEqual(["a1", "b1"]);
    await end("a1");
    await end("a2");
    expect(started).toEqual(["a1", "b1", "a2", "a3"]);
    await end("a3");
    await end("b1");
    expect(await results).toEqual(["a1", "a2", "b1", "a3"]);
  });

  it("runs the next call after one that fails", async () => {
    const { add, end, started } = world();
    const failing = expect(add("a", "a1")).rejects.toThrow("broken");
    const next = add("a", "a2");
    await end("");
    await end("a1", new Error("broken"));
    await failing;
    expect(started).toEqual(["a1", "a2"]);
    await end("a2");
    expect(await next).toBe("a2");
  });
});
