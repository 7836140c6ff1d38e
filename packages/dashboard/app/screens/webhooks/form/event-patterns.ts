import type { EventType, Webhook } from "@budgetkit/client";
import { EVENT_NAMES } from "../../deliveries/delivery-search.js";

/** A name of an event, or a pattern such as `budget.*`. */
export type EventPattern = NonNullable<Webhook["events"]>[number];

const KINDS = ["budget", "customer", "product"] as const;

export interface EventGroup {
  readonly all: EventPattern; // covers events that later releases add, too
  readonly kind: (typeof KINDS)[number];
  readonly events: readonly EventType[];
}

export const EVENT_GROUPS: readonly EventGroup[] = KINDS.map((kind) => ({
  all: `${kind}.*`,
  kind,
  events: EVENT_NAMES.filter((name) => name.startsWith(`${kind}.`)),
}));

/** True when the patterns cover events of the type. Null = every event. */
export function covers(patterns: readonly EventPattern[] | null, type: EventType): boolean {
  if (patterns === null) return true;
  return patterns.some((pattern) => {
    if (pattern.endsWith(".*")) return type.startsWith(pattern.slice(0, -1));
    return pattern.startsWith("*.") ? type.endsWith(pattern.slice(1)) : type === pattern;
  });
}

/** The patterns with all events of the group, or none of it. */
export function withGroup(patterns: readonly EventPattern[], group: EventGroup, isChosen: boolean) {
  const others = patterns.filter((pattern) => pattern !== group.all && !isOf(group, pattern));
  return isChosen ? [...others, group.all] : others;
}

/** The patterns with one event more or fewer. Without one of them, a group becomes its other events. */
export function withEvent(
  patterns: readonly EventPattern[],
  group: EventGroup,
  event: EventType,
  isChosen: boolean,
): readonly EventPattern[] {
  if (isChosen) return patterns.includes(event) ? patterns : [...patterns, event];
  if (!patterns.includes(group.all)) return patterns.filter((pattern) => pattern !== event);
  return [...withGroup(patterns, group, false), ...group.events.filter((each) => each !== event)];
}

function isOf({ events }: EventGroup, pattern: EventPattern): boolean {
  return events.some((event) => event === pattern);
}
