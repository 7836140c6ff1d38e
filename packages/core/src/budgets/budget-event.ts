import type { DomainEvent, EventType } from "../events/event.js";
import { type Actor, actorLabel, originOf } from "../kernel/actor.js";
import { type Instant, toTimestamp } from "../kernel/clock.js";
import { fromMinor } from "../kernel/money.js";
import type { Budget, BudgetStatus } from "./budget.js";
import type { Summaries } from "./budget-view.js";

/** An event before it has an id: what a decision says happened. */
export interface EventDraft {
  readonly type: EventType;
  readonly fields: readonly string[]; // which fields changed
  readonly from: BudgetStatus | null; // null = the budget did not exist
  readonly to: BudgetStatus;
  readonly reason: string | null;
}

/** The event of a draft, with the payload that the contract lists for budget events. */
export function budgetEventOf(
  draft: EventDraft,
  id: string,
  budget: Budget,
  summaries: Summaries,
  actor: Actor,
  now: Instant,
): DomainEvent {
  const customer = summaries.customers.get(budget.customerId);
  return {
    businessId: budget.businessId,
    id,
    type: draft.type,
    occurredAt: now,
    actor: actorLabel(actor),
    subjectId: budget.id,
    data: {
      id: budget.id,
      customerId: budget.customerId,
      total: fromMinor(budget.total, budget.currency),
      currency: budget.currency,
      status: draft.to,
      createdAt: toTimestamp(budget.createdAt),
      customer: { id: budget.customerId, name: customer?.name ?? null, email: customer?.email ?? null },
    },
    change: { fields: draft.fields, from: draft.from, to: draft.to, reason: draft.reason },
    ...originOf(actor),
  };
}
