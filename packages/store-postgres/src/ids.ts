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

/**
 * PostgreSQL's text holds every character but NUL, which no text of this service has. What is looked for with one in it
 * is looked for as a text that nothing has.
 */
export function textToFind(text: string): string {
  return text.includes("\0") ? "\u{10FFFF}" : text;
}

/** A block that is reserved and then lost with its connection is never handed out, so that asking again is safe. */
export function postgresIds(connection: Connection): IdStore {
  const advance = connection.value("UPDATE @ids SET next = next + $1 RETURNING next");

  return {
    reserveIds: async (count) => asInteger(await advance(count)) - count,
  };
}
