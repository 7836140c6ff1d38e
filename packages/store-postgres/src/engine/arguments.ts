/** The stored form of a text to look for. Stored text never holds NUL, so that a text with NUL matches nothing. */
export function textToFind(text: string): string {
  return text.includes("\0") ? "\u{10FFFF}" : text;
}
