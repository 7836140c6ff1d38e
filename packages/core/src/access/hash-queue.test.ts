import { describe, expect, it } from "vitest";
import { createHashQueue } from "./hash-queue.js";

/** A queue with one slot whose hashes end when the test says so. */
function world(maxWaiting = 3) {
  const queue = createHashQueue({ slots: 1, maxWaiting }, () => new Error("overloaded"));
  const started: string[] = [];
  const settled: string[] = [];
  const ends: (() => void)[] = [];
  const hash = (name: string) => () => {
    started.push(name);
    return new Promise<string>((resolve) => ends.push(() => resolve(name)));
  };
  const add = (kind: "run" | "runKnown" | "decoy", name: string) =>
    queue[kind](hash(name)).then(
      () => settled.push(name),
      () => settled.push(`${name} refused`),
    );
  const rest = () => new Promise(setImmediate);
  const end = async () => {
    ends.shift()?.();
    await rest();
  };
  return { queue, add, end, rest, started, settled };
}

describe("the queue of password hashes", () => {
  it("runs as many password hashes at once as it has slots, in the order of arrival", async () => {
    const { add, end, rest, started, settled } = world();
    for (const name of ["a", "b", "c"]) add("run", name);
    await rest();
    expect(started).toEqual(["a"]);
    await end();
    expect([started, settled]).toEqual([["a", "b"], ["a"]]);
    await end();
    await end();
    expect(settled).toEqual(["a", "b", "c"]);
  });

  it("hashes for known networks first, and refuses none of them for the number of others", async () => {
    const { add, end, rest, started, settled } = world();
    add("run", "a");
    for (let index = 0; index < 70; index += 1) add("run", `flood ${index}`);
    add("runKnown", "home");
    await rest();
    expect(settled).toHaveLength(67);
    await end();
    expect(started).toEqual(["a", "home"]);
    await end();
    expect(settled.at(-1)).toBe("home");
    expect(started.at(-1)).toBe("flood 0");
  });

  it("bounds the number of waiting hashes of known networks too", async () => {
    const { add, rest, settled } = world();
    for (let index = 0; index < 5; index += 1) add("runKnown", String(index));
    await rest();
    expect(settled).toEqual(["4 refused"]);
  });

  it("delays no hash for decoys, which share the hash behind them", async () => {
    const { add, end, rest, started, settled } = world();
    add("run", "a");
    for (let index = 0; index < 100; index += 1) add("decoy", `decoy ${index}`);
    add("run", "b");
    add("decoy", "late");
    await rest();
    expect(settled).toEqual([]);
    await end();
    expect([started, settled]).toEqual([["a", "b"], ["a"]]);
    await end();
    expect(settled).toHaveLength(102);
    expect(started).toEqual(["a", "b", "late"]);
    await end();
    expect(settled.at(-1)).toBe("late");
  });

  it("spends one hash on decoys alone, as long as a real call takes", async () => {
    const { add, end, rest, started, settled } = world();
    for (const name of ["a", "b", "c"]) add("decoy", name);
    await rest();
    await end();
    expect([started, settled]).toEqual([["a", "c"], ["a"]]);
    await end();
    expect(settled.sort()).toEqual(["a", "b", "c"]);
  });

  it("refuses a decoy exactly when it refuses a real call", async () => {
    const { add, end, rest, settled } = world(1);
    add("run", "a");
    add("decoy", "b");
    await rest();
    expect(settled).toEqual([]);
    add("run", "c");
    add("run", "d");
    add("decoy", "e");
    await rest();
    expect(settled).toEqual(["d refused", "e refused"]);
    await end();
    await end();
    expect(settled.sort()).toEqual(["a", "b", "c", "d refused", "e refused"]);
  });

  it("frees the slot of a hash that fails, and settles the decoys that shared it", async () => {
    const { queue, add, end, rest, settled } = world();
    add("run", "a");
    add("decoy", "b");
    const failing = queue.run(() => Promise.reject(new Error("out of memory")));
    add("run", "c");
    await rest();
    await Promise.all([end(), expect(failing).rejects.toThrow("out of memory")]);
    await end();
    expect(settled).toEqual(["a", "b", "c"]);
  });
});
