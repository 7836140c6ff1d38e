import type { BusinessEvent, EventType } from "@budgetkit/client";
import type { EventsSearch } from "./events-search.js";

export type EntryType = BusinessEvent["event"];

/** Groups of entries, by the first part of their names. */
export const GROUPS = [
  "budget",
  "customer",
  "product",
  "package",
  "mail",
  "reminders",
  "public_link",
  "api_key",
  "webhook",
  "integration",
  "user",
  "business",
] as const;

/** Names that are offered to choose from: what subscribers receive, and what an administrator looks for most. */
export const OFFERED: readonly (EventType | EntryType)[] = [
  "budget.created",
  "budget.updated",
  "budget.approved",
  "budget.rejected",
  "budget.expired",
  "budget.deleted",
  "budget.viewed",
  "budget.change_requested",
  "budget.message_sent",
  "customer.created",
  "customer.updated",
  "customer.deleted",
  "product.created",
  "product.updated",
  "product.deleted",
  "api_key.created",
  "api_key.updated",
  "api_key.regenerated",
  "api_key.revoked",
  "webhook.created",
  "webhook.updated",
  "webhook.deleted",
  "webhook.secret_read",
  "user.logged_in",
  "user.login_failed",
  "user.role_changed",
  "business.updated",
  "mail.queued",
];

/** The name that the service can look for itself; a group is looked for here. */
export function exactType({ type }: EventsSearch): EntryType | undefined {
  return OFFERED.find((name) => name === type);
}

/** Whether the entry meets what the service does not look for: a group of types, and the actor. */
export function meets({ type, actor }: EventsSearch, event: Pick<BusinessEvent, "event" | "actor">): boolean {
  const isOfType =
    type === undefined || (type.endsWith(".*") ? event.event.startsWith(type.slice(0, -1)) : event.event === type);
  return isOfType && (actor === undefined || event.actor.toLowerCase().includes(actor.toLowerCase()));
}

/** Whether some of the filters are looked for here. */
export function isSearchedHere(search: EventsSearch): boolean {
  return search.actor !== undefined || (search.type !== undefined && exactType(search) === undefined);
}
