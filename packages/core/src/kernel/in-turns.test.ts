import { expect, it } from "vitest";
import { mapInTurns, stringifyInTurns, TURN_CHARACTERS } from "./in-turns.js";

/** Counts the turns of the event loop until `work` is done. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    if (isDone) return;
    turns += 1;
    setImmediate(count);
  };
  setImmediate(count);
  await work();
  isDone = true;
  return turns;
}

it("maps a short list in the caller's turn of the event loop", async () => {
  const lengthOf = (text: string) => text.length;
  expect(await turnsOf(() => mapInTurns(["a", "b"], lengthOf, lengthOf))).toBe(0);
  expect(await mapInTurns(["a", "bb"], lengthOf, lengthOf)).toEqual([1, 2]);
});

it("yields to other work after as many characters as fit one turn of the event loop", async () => {
  const entries = Array.from({ length: 10 }, (_, index) => index);
  const half = () => TURN_CHARACTERS / 2;
  expect(await turnsOf(() => mapInTurns(entries, String, half))).toBe(4);
  expect(await mapInTurns(entries, String, half)).toEqual(entries.map(String));
});

it("writes a list in turns exactly as JSON.stringify does", async () => {
  for (const list of [[], [1], [{ a: "ñ\n" }, [null, "b"], "c"]]) {
    expect(await stringifyInTurns(list)).toBe(JSON.stringify(list));
  }
});
