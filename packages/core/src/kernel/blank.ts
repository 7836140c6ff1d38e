import type { Random } from "./random.js";

/**
 * A blank: an unguessable text that stands for a number that only the commit draws. The commit fills it in wherever it
 * stands: in documents, events and the response of an idempotency record. It is the same in lower case, and in JSON.
 */
export function makeBlank(random: Random): string {
  return `{number:${Buffer.from(random.bytes(16)).toString("hex")}}`;
}

/** A copy of JSON data with the blank filled in. */
export function filledCopy<T>(data: T, blank: string, number: string): T {
  const copy: T = JSON.parse(JSON.stringify(data).replaceAll(blank, () => number));
  return copy;
}

/** Fills the blank in, in the fields of JSON data, which stays the same object. */
export function fillIn(data: object, blank: string, number: string): void {
  for (const [name, value] of Object.entries(data)) {
    if (typeof value === "string") {
      if (value.includes(blank)) Object.assign(data, { [name]: value.replaceAll(blank, () => number) });
    } else if (typeof value === "object" && value !== null) fillIn(value, blank, number);
  }
}

/** An encrypted text with a blank inside. The commit cannot fill that in, so it writes the number at the end. */
export function sealedWithBlank(sealed: string, blank: string): string {
  return [sealed, blank.slice(1, -1), blank].join("\n");
}

/** Decrypts a text, and fills in the number that {@link sealedWithBlank} left room for, if it did. */
export function openWithNumber(stored: string, open: (sealed: string) => string | null): string | null {
  const [sealed = "", name, number] = stored.split("\n");
  const opened = open(sealed);
  if (opened === null || name === undefined || number === undefined) return opened;
  return opened.replaceAll(`{${name}}`, () => number);
}
