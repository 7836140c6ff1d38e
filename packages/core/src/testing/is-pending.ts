import { setImmediate as nextTurn } from "node:timers/promises";

const TURNS = 100;

/** Whether a promise is still pending after many turns of the event loop. */
export async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  promise.then(end, end);
  for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
  return !hasEnded;
}
