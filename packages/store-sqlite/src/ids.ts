import { type IdStore, parseId } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import { asInteger } from "./rows.js";

/** Ids begin at 1, so that this one is nobody's. */
const NO_ID = 0;

/** The stored form of an id to look for. A text that cannot be an id gives one that nothing has. */
export function idToFind(text: string): number {
  return parseId(text) ?? NO_ID;
}

/** The stored form of an id to write. Throws a RangeError for a text that cannot be one. */
export function idToWrite(text: string): number {
  const id = parseId(text);
  if (id === null) throw new RangeError(`not an id: ${JSON.stringify(text)}`);
  return id;
}

export function sqliteIds(connection: Connection): IdStore {
  const advance = connection.value("UPDATE budgetkit_ids SET next = next + ? RETURNING next");

  return {
    reserveIds: (count) => connection.write(() => asInteger(advance(count)) - count),
  };
}
