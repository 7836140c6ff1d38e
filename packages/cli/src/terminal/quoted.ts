import { printable } from "./complaint.js";

const ISOLATE = "\u2068";
const END_OF_ISOLATE = "\u2069";

/**
 * A text that someone typed, in quotes, so that it does not read as words of the program. Letters that are written from
 * the right keep their direction to themselves, so that they move nothing beside them.
 */
export function quoted(text: string): string {
  return `"${isolated(printable(text).replace(/["\\]/g, "\\$&"))}"`;
}

/** A text that may hold typed texts, whose direction moves nothing beside it. ASCII has one direction. */
export function isolated(text: string): string {
  return /^[ -~]*$/.test(text) ? text : ISOLATE + text + END_OF_ISOLATE;
}
