import { z } from "zod";
import { EVENT_TYPES, type EventType } from "./event.js";

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

/** Names of events and patterns of them, each once. */
export const eventPatterns = z
  .array(z.enum([...EVENT_TYPES, ...EVENT_WILDCARDS]).meta({ id: "EventPattern" }))
  .min(1)
  .refine((given) => new Set(given).size === given.length, { message: "must name each event once" });
