import type { DomainEvent } from "../events/event.js";
import type { IdempotencyRecord } from "../idempotency/idempotency-store.js";
import type { Random } from "../kernel/random.js";

/**
 * A blank: an unguessable text that stands for a number that only the commit draws. The store writes the number in its
 * place wherever it stands: in documents, events and the response of an idempotency record. It is the same in lower case,
 * and in JSON.
 */
export function makeBlank(random: Random): string {
  return `{number:${Buffer.from(random.bytes(16)).toString("hex")}}`;
}

/** A copy of JSON data with the blank filled in. */
export function filledCopy<T>(data: T, blank: string, number: string): T {
  const copy: T = JSON.parse(JSON.stringify(data).replaceAll(blank, () => number));
  return copy;
}

interface Numbered<W> {
  readonly writes: readonly W[];
  readonly events: readonly DomainEvent[];
  readonly completes: IdempotencyRecord | null;
}

/** The commit with the number that was drawn for it. */
export function withNumber<W, T extends Numbered<W>>(commit: T, blank: string, number: string): T {
  const { writes, events, completes } = commit;
  return { ...commit, ...filledCopy({ writes, events, completes }, blank, number) };
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
