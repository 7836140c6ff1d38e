export interface JsonToken {
  readonly text: string;
  readonly isString: boolean; // a value, not the name of a field
}

const MAX_LETTERS = 16_000;
/** A string, and the colon that makes it the name of a field. */
const STRING = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

export interface JsonText {
  readonly text: string;
  readonly isCut: boolean;
}

/** Formatted, and cut where it is too long to read. */
export function jsonText(value: unknown): JsonText {
  const text = JSON.stringify(value, null, 2) ?? "";
  return text.length > MAX_LETTERS ? { text: text.slice(0, MAX_LETTERS), isCut: true } : { text, isCut: false };
}

/** Splits formatted JSON at its strings, which are coloured. */
export function jsonTokens(text: string): readonly JsonToken[] {
  const tokens: JsonToken[] = [];
  let at = 0;
  for (const { 0: found, 1: colon, index } of text.matchAll(STRING)) {
    if (colon !== undefined) continue;
    if (index > at) tokens.push({ text: text.slice(at, index), isString: false });
    tokens.push({ text: found, isString: true });
    at = index + found.length;
  }
  if (at < text.length) tokens.push({ text: text.slice(at), isString: false });
  return tokens;
}

/** The body of an answer: formatted where it is JSON, else as it came. */
export function bodyText(body: string): JsonText {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? jsonText(value) : { text: body, isCut: false };
  } catch {
    return body.length > MAX_LETTERS ? { text: body.slice(0, MAX_LETTERS), isCut: true } : { text: body, isCut: false };
  }
}
