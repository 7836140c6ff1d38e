import type { Operations } from "@budgetkit/client";
import { EVENT_NAMES } from "../deliveries/delivery-search.js";
import { covers, type EventPattern } from "./form/event-patterns.js";

export type WebhookReplay = Operations["getWebhookReplay"]["answer"];

/** What the dialog asks for. */
export interface ReplayRange {
  readonly since: string; // of a datetime-local input, in the person's zone
  readonly until: string; // empty = up to now
  readonly events: readonly EventPattern[] | null; // null = all that the endpoint receives
}

/** Times in UTC; null = the range is none. */
export function timesOf({ since, until }: ReplayRange): { readonly since: string; readonly until?: string } | null {
  const from = Date.parse(since);
  if (Number.isNaN(from)) return null;
  if (until === "") return { since: new Date(from).toISOString() };
  const to = Date.parse(until);
  if (Number.isNaN(to) || to < from) return null;
  return { since: new Date(from).toISOString(), until: new Date(to).toISOString() };
}

/** The types that the replay sends: those of the range which the endpoint receives. */
export function sentTypes(range: readonly EventPattern[] | null, received: readonly EventPattern[] | null) {
  return EVENT_NAMES.filter((type) => covers(range, type) && covers(received, type));
}

/** How far it is, 0 to 1. */
export function progressOf({ firstSequence, nextSequence, untilSequence }: WebhookReplay): number {
  const all = untilSequence - firstSequence + 1;
  return all <= 0 ? 1 : Math.min(1, Math.max(0, (nextSequence - firstSequence) / all));
}
