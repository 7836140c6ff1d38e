import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createLane } from "./lane.js";

/** A lane whose steps end when they are told to. */
function heldLane() {
  const errors: unknown[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const lane = createLane(
    () => new Promise((resolve, reject) => ends.push((error) => (error === undefined ? resolve() : reject(error)))),
    (error) => errors.push(error),
  );
  return { lane, ends, errors };
}

describe("a lane", () => {
  it("takes one step for all nudges before it, and one more for those during it", async () => {
    const { lane, ends } = heldLane();
    lane.open();
    lane.nudge();
    lane.nudge();
    await nextTurn();
    expect(ends).toHaveLength(1);
    lane.nudge();
    lane.nudge();
    await nextTurn();
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await nextTurn();
    expect(ends).toHaveLength(2);
    ends[1]?.();
    await nextTurn();
    expect(ends).toHaveLength(2);
  });

  it("goes on after a step that failed, when it is nudged again", async () => {
    const { lane, ends, errors } = heldLane();
    lane.open();
    lane.nudge();
    await nextTurn();
    ends[0]?.(new Error("away"));
    await nextTurn();
    expect(errors).toEqual([new Error("away")]);
    expect(ends).toHaveLength(1);
    lane.nudge();
    await nextTurn();
    expect(ends).toHaveLength(2);
  });

  it("takes no step before it is open and after it was closed, which waits for the last", async () => {
    const { lane, ends } = heldLane();
    lane.nudge();
    lane.open();
    await nextTurn();
    expect(ends).toHaveLength(0);
    lane.nudge();
    await nextTurn();
    lane.nudge();
    let isClosed = false;
    const closing = lane.close().then(() => {
      isClosed = true;
    });
    await nextTurn();
    expect(isClosed).toBe(false);
    ends[0]?.();
    await closing;
    lane.nudge();
    await nextTurn();
    expect(ends).toHaveLength(1);
    await lane.close();
  });
});
