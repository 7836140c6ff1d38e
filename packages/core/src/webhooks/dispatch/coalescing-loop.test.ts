import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { createCoalescingLoop } from "./coalescing-loop.js";

/** A loop whose steps end when the test ends them. */
function heldLoop() {
  const errors: unknown[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const loop = createCoalescingLoop(
    () => new Promise((resolve, reject) => ends.push((error) => (error === undefined ? resolve() : reject(error)))),
    (error) => errors.push(error),
  );
  return { loop, ends, errors };
}

it("runs one step for all requests before it, and one more for those during it", async () => {
  const { loop, ends } = heldLoop();
  loop.open();
  loop.request();
  loop.request();
  await nextTurn();
  expect(ends).toHaveLength(1);
  loop.request();
  loop.request();
  await nextTurn();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await nextTurn();
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await nextTurn();
  expect(ends).toHaveLength(2);
});

it("runs again after a failed step when it is requested again", async () => {
  const { loop, ends, errors } = heldLoop();
  loop.open();
  loop.request();
  await nextTurn();
  ends[0]?.(new Error("away"));
  await nextTurn();
  expect(errors).toEqual([new Error("away")]);
  expect(ends).toHaveLength(1);
  loop.request();
  await nextTurn();
  expect(ends).toHaveLength(2);
});

it("runs no step before it is opened or after it is closed; closing waits for the last step", async () => {
  const { loop, ends } = heldLoop();
  loop.request();
  loop.open();
  await nextTurn();
  expect(ends).toHaveLength(0);
  loop.request();
  await nextTurn();
  loop.request();
  let isClosed = false;
  const closing = loop.close().then(() => {
    isClosed = true;
  });
  await nextTurn();
  expect(isClosed).toBe(false);
  ends[0]?.();
  await closing;
  loop.request();
  await nextTurn();
  expect(ends).toHaveLength(1);
  await loop.close();
});
