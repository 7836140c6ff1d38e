import type { Problem } from "./problem.js";

/** How deep a JSON value may nest: the outermost object or list is the first level. */
export const MAX_DEPTH = 32;
/** How many values a JSON document may hold in all; the largest valid request stays far below. */
export const MAX_VALUES = 20_000;

export const tooManyValues: Problem = { kind: "malformed", message: "The document holds too many values." };
export const tooDeep: Problem = {
  kind: "malformed",
  message: `The document nests more than ${MAX_DEPTH} levels deep.`,
};

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LAST_SPACE = 0x20;

/** So many bytes of a text are read one by one before the native search is called. */
const NEAR = 64;

/**
 * Counts levels and values of a JSON document in UTF-8. Parsing a megabyte of small values blocks the event loop several
 * times as long as this. Other mistakes are left to the parser.
 *
 * @returns a `malformed` problem; null = the document is within the limits, or is not JSON.
 */
export function exceedsJsonLimits(document: Uint8Array): Problem | null {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  let depth = 0;
  let values = 1;
  let isOpen = false; // the last byte that counts has opened an object or a list
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte <= LAST_SPACE) continue;
    const isClosing = byte === CLOSE_LIST || byte === CLOSE_OBJECT;
    if (byte === COMMA || (isOpen && !isClosing)) values += 1;
    if (values > MAX_VALUES) return tooManyValues;
    isOpen = byte === OPEN_LIST || byte === OPEN_OBJECT;
    if (isOpen) depth += 1;
    else if (isClosing) depth -= 1;
    else if (byte === QUOTE) at = endOfText(bytes, at);
    if (depth > MAX_DEPTH) return tooDeep;
  }
  return null;
}

/**
 * The position of the quotation mark that ends the text that begins at `start`. The native search reads long texts many
 * times as fast as the loop; for short ones, and between escapes, its call costs more than the loop.
 */
function endOfText(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length) {
    const near = Math.min(at + NEAR, bytes.length);
    while (at < near && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    if (at < near) return at;
    const end = bytes.indexOf(QUOTE, at);
    if (end === -1) return bytes.length;
    if (!isEscaped(bytes, at, end)) return end;
    at = end + 1;
  }
  return at;
}

/** Whether an odd number of backslashes stands before the position, counted back to `from`, which none escapes. */
function isEscaped(bytes: Buffer, from: number, position: number): boolean {
  let first = position;
  while (first > from && bytes[first - 1] === BACKSLASH) first -= 1;
  return (position - first) % 2 === 1;
}
