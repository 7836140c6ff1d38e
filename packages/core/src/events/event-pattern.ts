import type { EventType } from "./event.js";

/** Patterns of event names. A pattern also covers events that later releases add. */
export const EVENT_WILDCARDS = ["budget.*", "customer.*", "product.*", "*.created", "*.updated", "*.deleted"] as const;

/** The name of an event, or a pattern that covers several. */
export type EventPattern = EventType | (typeof EVENT_WILDCARDS)[number];

/** True when the patterns cover events of the type. Null = every event. */
export function coversType(patterns: readonly EventPattern[] | null, type: EventType): boolean {
  return patterns === null || patterns.some((pattern) => matches(pattern, type));
}

function matches(pattern: EventPattern, type: EventType): boolean {
  if (pattern.endsWith(".*")) return type.startsWith(pattern.slice(0, -1));
  return pattern.startsWith("*.") ? type.endsWith(pattern.slice(1)) : type === pattern;
}
