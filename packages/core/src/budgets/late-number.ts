import { fillIn, sealedWithBlank } from "../commit/blank.js";
import type { Numbering } from "../commit/numbering.js";
import type { DomainEvent } from "../events/event.js";
import type { IdempotencyRecord } from "../idempotency/idempotency-store.js";
import type { InsertOutcome, ReplaceOutcome } from "./budget-store.js";

/** The idempotency record of a commit that may draw a number: the commit adds the number to the response. */
export function recordWithBlank(
  record: IdempotencyRecord | null,
  numbering: Numbering | undefined,
): IdempotencyRecord | null {
  if (record === null || numbering?.kind !== "draw") return record;
  return { ...record, response: sealedWithBlank(record.response, numbering.blank) };
}

/** Fills the number that a commit drew into the view and the events, which were made before it. */
export function fillNumber(
  outcome: InsertOutcome | ReplaceOutcome,
  numbering: Numbering | undefined,
  view: unknown,
  events: readonly DomainEvent[],
): void {
  if (typeof outcome !== "object" || numbering?.kind !== "draw") return;
  fillIn({ view, events }, numbering.blank, outcome.number);
}
