/** The stored form of a text to look for. Stored text never holds NUL, so that a text with NUL matches nothing. */
export function textToFind(text: string): string {
  return text.includes("\0") ? "\u{10FFFF}" : text;
}

/** The highest number of rows, as the functions take it; null = no limit. */
export function limitArgument(limit = Number.POSITIVE_INFINITY): number | null {
  return Number.isFinite(limit) ? limit : null;
}
