import type { DomainEvent } from "../../events/event.js";
import { coversType, type EventPattern } from "../../events/event-pattern.js";
import type { EventFilter, FilterCondition } from "./filter-schema.js";

/** The part of an endpoint that selects events. */
export interface Selection {
  readonly events: readonly EventPattern[] | null; // null = every event
  readonly filter?: EventFilter; // absent = no conditions
}

/** True when an endpoint with this selection receives the event. */
export function selects({ events, filter }: Selection, { type, data }: Pick<DomainEvent, "type" | "data">): boolean {
  return coversType(events, type) && (filter === undefined || unmetConditions(filter, data).length === 0);
}

/** The conditions that the data of an event does not meet. */
export function unmetConditions(filter: EventFilter, data: DomainEvent["data"]): readonly FilterCondition[] {
  const { status, currency, customerId, minimumTotal } = filter;
  const unmet: FilterCondition[] = [];
  if (!isOneOf(status, data.status)) unmet.push("status");
  if (!isOneOf(currency, data.currency)) unmet.push("currency");
  if (!isOneOf(customerId, data.customerId)) unmet.push("customerId");
  if (minimumTotal !== undefined && !isAtLeast(minimumTotal, data)) unmet.push("minimumTotal");
  return unmet;
}

function isOneOf(allowed: readonly string[] | undefined, value: unknown): boolean {
  return allowed === undefined || allowed.some((each) => each === value);
}

/** Totals are doubles of exact amounts, so that they compare as the amounts do. */
function isAtLeast({ amount, currency }: NonNullable<EventFilter["minimumTotal"]>, data: DomainEvent["data"]): boolean {
  return data.currency === currency && typeof data.total === "number" && data.total >= amount;
}
