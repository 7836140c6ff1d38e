import type { Account, BusinessEvent } from "@budgetkit/client";

/** The acts of the ledger that change who may do what. */
export const ACCESS_EVENTS = [
  "user.invited",
  "user.role_changed",
  "user.disabled",
  "user.enabled",
  "user.removed",
  "user.sessions_ended",
  "user.second_factor_enabled",
  "user.second_factor_disabled",
] as const;

type AccessEvent = (typeof ACCESS_EVENTS)[number];

export interface AccessChange {
  readonly id: string;
  readonly event: AccessEvent;
  /** Whom it concerns. */
  readonly person: string;
  /** Who did it; null = no person of the list. */
  readonly by: string | null;
  readonly actor: string;
  /** Of a role or an invitation; null = neither. */
  readonly from: string | null;
  readonly to: string | null;
  readonly at: string;
}

/** What an entry says of people, with their names where the list has them, else those that the entry kept. */
export function accessChangeOf(entry: BusinessEvent, people: readonly Account[]): AccessChange | null {
  const event = ACCESS_EVENTS.find((each) => each === entry.event);
  if (event === undefined) return null;
  const role = changeOf(entry.data, "role");
  return {
    id: entry.id,
    event,
    person: nameIn(people, entry.subjectId) ?? keptName(entry.data) ?? entry.subjectId,
    by: entry.actor.startsWith("user:") ? nameIn(people, entry.actor.slice("user:".length)) : null,
    actor: entry.actor,
    from: event === "user.role_changed" ? (role.from ?? entry.change.from) : null,
    to: event === "user.role_changed" || event === "user.invited" ? (role.to ?? entry.change.to) : null,
    at: entry.timestamp,
  };
}

function nameIn(people: readonly Account[], id: string): string | null {
  const found = people.find((person) => String(person.id) === id);
  return found === undefined ? null : found.displayName || found.email;
}

/** Of a person who is gone. */
function keptName(data: Readonly<Record<string, unknown>>): string | null {
  return changeOf(data, "displayName").from ?? changeOf(data, "email").from ?? changeOf(data, "email").to;
}

function changeOf(data: Readonly<Record<string, unknown>>, field: string): { from: string | null; to: string | null } {
  const change = partOf(partOf(data, "changes"), field);
  return { from: textOf(partOf(change, "from")), to: textOf(partOf(change, "to")) };
}

function partOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
