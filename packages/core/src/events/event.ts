import type { Instant } from "../kernel/clock.js";
import type { Origin } from "../kernel/origin.js";

/** Names of events. Source: contract, Events. */
export const EVENT_TYPES = [
  "budget.created",
  "budget.updated",
  "budget.approved",
  "budget.rejected",
  "budget.expired",
  "budget.deleted",
  "customer.created",
  "customer.updated",
  "customer.deleted",
  "product.created",
  "product.updated",
  "product.deleted",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Something that happened. It is committed together with the change that it tells of. */
export interface DomainEvent {
  readonly businessId: string;
  readonly id: string;
  readonly type: EventType;
  readonly occurredAt: Instant;
  readonly actor: string; // an actor's label
  readonly subjectId: string; // the budget, customer or product
  readonly data: Readonly<Record<string, unknown>>; // what a subscriber is told
  readonly change: EventChange; // what an audit wants to know
  readonly origin?: Origin; // diagnostic data, which no answer and no callback's body shows; absent = time, or a call without one
}

/** Which fields a change touched and, for a budget, the move it made. */
export interface EventChange {
  readonly fields: readonly string[];
  readonly from: string | null; // status before; null = it did not exist
  readonly to: string | null; // status after
  readonly reason: string | null; // what whoever acted said of it; null = nothing
}

/** An event as the outbox holds it. */
export interface StoredEvent extends DomainEvent {
  readonly sequence: number; // ascending in the order of commits
}
