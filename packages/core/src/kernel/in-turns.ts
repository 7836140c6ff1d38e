import { setImmediate as nextTurn } from "node:timers/promises";

/** Characters of JSON that one turn of the event loop parses or writes: a few milliseconds of work. */
export const TURN_CHARACTERS = 256 * 1024;

let lastTurn = Promise.resolve();

/** Waits for a turn of the event loop that no other caller has: large pieces of work that come at once run one a turn. */
export function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn());
  return lastTurn;
}

/**
 * The results of `map`, in order. The work is done in turns of the event loop of about {@link TURN_CHARACTERS} each, so
 * that a large list does not delay other requests. `weigh` returns the characters that an entry read or wrote.
 */
export async function mapInTurns<Entry, Result>(
  entries: readonly Entry[],
  map: (entry: Entry) => Result,
  weigh: (entry: Entry, result: Result) => number,
): Promise<Result[]> {
  const results: Result[] = [];
  let weight = 0;
  for (const entry of entries) {
    if (weight >= TURN_CHARACTERS) {
      await nextTurn();
      weight = 0;
    }
    const result = map(entry);
    results.push(result);
    weight += weigh(entry, result);
  }
  return results;
}

/** The text of `JSON.stringify(list)`. An entry must not be undefined. */
export async function stringifyInTurns(list: readonly unknown[]): Promise<string> {
  const texts = await mapInTurns(
    list,
    (entry) => JSON.stringify(entry),
    (_, text) => text.length,
  );
  return `[${texts.join(",")}]`;
}
