/**
 * A text for one line, such as a header: line ends, control characters and marks that turn the direction of writing
 * become
 * spaces.
 */
export function inOneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu, " ").trim();
}
