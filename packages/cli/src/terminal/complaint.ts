import { inspect } from "node:util";
import { StartFailure, UsageError } from "./failures.js";

/** The text of an error: only the message when the operator can fix it, else with the stack. */
export function complaintOf(error: unknown): string {
  const isForOperator = error instanceof StartFailure || error instanceof UsageError;
  return withoutPasswords(isForOperator ? error.message : inspect(error));
}

/**
 * The text with the passwords of its URLs hidden. `words` are arguments that may occur in it as a whole, spaces
 * included.
 */
export function withoutPasswords(text: string, words: readonly string[] = []): string {
  const urls = words.filter((word) => word.includes("://"));
  const shown = urls.reduce((all, word) => all.replaceAll(word, hidden(word)), text);
  return shown.replace(/\S+/g, hidden);
}

/** Up to the last @, so that a password with an unencoded @ is hidden as well. */
function hidden(word: string): string {
  return word.replace(/(:\/\/[^:/]*:).*@/s, "$1***@").replace(/([?&]\w*password=)[^&]*/gi, "$1***");
}

/** Control characters, line ends of Unicode, and marks that change the direction of the text after them. */
const MOVES = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** User-supplied text made safe for a terminal: nothing in it moves the cursor, changes colours or reorders other text. */
export function printable(name: string): string {
  return name.replace(MOVES, " ");
}
