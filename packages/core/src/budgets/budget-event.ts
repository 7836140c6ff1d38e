import type { DomainEvent, EventType } from "../events/event.js";
import { type Actor, actorLabel, actorOrigin } from "../kernel/actor.js";
import { type Instant, toTimestamp } from "../kernel/clock.js";
import { fromMinor } from "../kernel/money.js";
import type { Budget, BudgetStatus } from "./budget.js";
import type { ChangesData } from "./budget-changes.js";
import type { Summaries } from "./budget-view.js";

/** An event without an id, as a rule decides it. */
export interface EventDraft {
  readonly type: EventType;
  readonly fields: readonly string[]; // changed fields
  readonly from: BudgetStatus | null; // null = the budget did not exist
  readonly to: BudgetStatus;
  readonly reason: string | null;
  readonly data?: Readonly<Record<string, unknown>>; // beside the budget in short; absent = nothing
}

/** The event of a move from one status to another. */
export function moved(type: EventType, from: BudgetStatus, to: BudgetStatus, reason: string | null = null): EventDraft {
  return { type, fields: ["status"], from, to, reason };
}

/** The event of a change that keeps the status. */
export function updated(status: BudgetStatus, fields: readonly string[], reason: string | null = null): EventDraft {
  return { type: "budget.updated", fields, from: status, to: status, reason };
}

/** The event of a draft, with the payload of the contract. */
export function budgetEventOf(
  draft: EventDraft,
  id: string,
  budget: Budget,
  summaries: Summaries,
  actor: Actor,
  now: Instant,
  changes: ChangesData | null = null, // null = the event is not of a change
): DomainEvent {
  const changed = changes === null ? undefined : { fields: draft.fields, ...changes };
  const customer = summaries.customers.get(budget.customerId);
  // In the order of canonical JSON, which is then quick to write.
  return {
    actor: actorLabel(actor),
    businessId: budget.businessId,
    change: { fields: draft.fields, from: draft.from, reason: draft.reason, to: draft.to },
    data: {
      createdAt: toTimestamp(budget.createdAt),
      currency: budget.currency,
      customer: { email: customer?.email ?? null, id: budget.customerId, name: customer?.name ?? null },
      customerId: budget.customerId,
      id: budget.id,
      ...(budget.number === undefined ? {} : { number: budget.number }),
      status: draft.to,
      total: fromMinor(budget.total, budget.currency),
      version: budget.version,
      ...draft.data,
      ...changed,
    },
    id,
    occurredAt: now,
    ...actorOrigin(actor),
    subjectId: budget.id,
    type: draft.type,
  };
}
