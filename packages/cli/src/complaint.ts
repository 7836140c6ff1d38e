import { inspect } from "node:util";
import { StartFailure } from "./start-failure.js";
import { UsageError } from "./usage-error.js";

/** What is said of an error: the message of one that the operator can mend, and everything about any other one. */
export function complaintOf(error: unknown): string {
  const isForOperator = error instanceof StartFailure || error instanceof UsageError;
  return withoutPasswords(isForOperator ? error.message : inspect(error));
}

/**
 * The text without the passwords of URLs in it, for whoever reads the terminal or the log. `words` are known to stand in
 * it as a whole, blanks included.
 */
export function withoutPasswords(text: string, words: readonly string[] = []): string {
  const urls = words.filter((word) => word.includes("://"));
  const shown = urls.reduce((all, word) => all.replaceAll(word, hidden(word)), text);
  return shown.replace(/\S+/g, hidden);
}

/** Up to the last @: whoever forgot to encode one, in the user's name or the password, has the password hidden all the same. */
function hidden(word: string): string {
  return word.replace(/(:\/\/[^:/]*:).*@/s, "$1***@").replace(/([?&]\w*password=)[^&]*/gi, "$1***");
}
