import type { BudgetStatus } from "../../budgets/budget.js";
import { EVENT_TYPES, type EventType } from "../../events/event.js";
import { coversType } from "../../events/event-pattern.js";
import { maxAmountOf } from "../../kernel/money.js";
import { brokenRule, type Problem } from "../../kernel/problem.js";
import { type EventFilter, FILTER_CONDITIONS, type FilterCondition } from "./filter-schema.js";
import type { Selection } from "./selection.js";

/** The conditions that data of this type can meet: those on fields that it has. */
const CONDITIONS_ON: Readonly<Record<EventType, readonly FilterCondition[]>> = {
  "budget.created": FILTER_CONDITIONS,
  "budget.updated": FILTER_CONDITIONS,
  "budget.approved": FILTER_CONDITIONS,
  "budget.rejected": FILTER_CONDITIONS,
  "budget.expired": FILTER_CONDITIONS,
  "budget.deleted": FILTER_CONDITIONS,
  "budget.viewed": FILTER_CONDITIONS,
  "budget.change_requested": FILTER_CONDITIONS,
  "budget.message_sent": FILTER_CONDITIONS,
  "customer.created": [],
  "customer.updated": [],
  "customer.deleted": [],
  "product.created": ["currency"],
  "product.updated": ["currency"],
  "product.deleted": [],
};

/** The status in the data of events that always have the same one. */
const STATUS_OF: Readonly<Partial<Record<EventType, BudgetStatus>>> = {
  "budget.approved": "APPROVED",
  "budget.rejected": "REJECTED",
  "budget.expired": "EXPIRED",
  "budget.deleted": "DELETED",
};

/** Refuses a filter that no event of the selection can meet. Null = some event can. */
export function refuseSelection({ events, filter }: Selection): Problem | null {
  if (filter === undefined) return null;
  const reason = contradictionIn(filter);
  if (reason !== null) return neverMatches(reason);
  const types = EVENT_TYPES.filter((type) => coversType(events, type));
  if (types.some((type) => canMeet(filter, type))) return null;
  return neverMatches("No event of `events` can meet these conditions.");
}

function neverMatches(reason: string): Problem {
  return brokenRule("FILTER_NEVER_MATCHES", `The filter never matches. ${reason}`, { field: "filter" });
}

function contradictionIn({ currency, minimumTotal }: EventFilter): string | null {
  if (minimumTotal === undefined) return null;
  if (currency !== undefined && !currency.includes(minimumTotal.currency)) {
    return "`currency` leaves out the currency of `minimumTotal`.";
  }
  return minimumTotal.amount > maxAmountOf(minimumTotal.currency) ? "`minimumTotal` is above every amount." : null;
}

function canMeet(filter: EventFilter, type: EventType): boolean {
  const { status } = filter;
  const isAbsent = (condition: FilterCondition) => filter[condition] === undefined;
  if (!FILTER_CONDITIONS.every((each) => isAbsent(each) || CONDITIONS_ON[type].includes(each))) return false;
  const known = STATUS_OF[type];
  return status === undefined || known === undefined || status.includes(known);
}
