import type { Origin } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";

/** Names of events. Source: contract, Events. */
export const EVENT_TYPES = [
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
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** One change of a budget, customer or product. The change and its event commit together. */
export interface DomainEvent {
  /** Id of the business. */
  readonly businessId: string;
  /** Assigned by the service. */
  readonly id: string;
  /** Name of the event. */
  readonly type: EventType;
  /** Milliseconds since 1970. */
  readonly occurredAt: Instant;
  /** An actor's label. */
  readonly actor: string;
  /** The budget, customer or product. */
  readonly subjectId: string;
  /** The payload for subscribers. */
  readonly data: Readonly<Record<string, unknown>>;
  /** For audits. */
  readonly change: EventChange;
  /** Diagnostic data, in no response and no callback body; absent = none, as for expiry by time. */
  readonly origin?: Origin;
}

/** The fields that a change touched and, for a budget, its move. */
export interface EventChange {
  /** The changed fields. */
  readonly fields: readonly string[];
  /** Status before; null = it did not exist. */
  readonly from: string | null;
  /** Status after. */
  readonly to: string | null;
  /** From the actor; null = none given. */
  readonly reason: string | null;
}

/** Where an entry stands. The commit that writes it draws both numbers, so a rollback leaves no gap. */
export interface EntryPlace {
  /** Of the business: 1, 2, 3 … in commit order, without gaps. */
  readonly sequence: number;
  /** Of the subject: 1, 2, 3 … in commit order, without gaps. */
  readonly revision: number;
}

/** An event in the outbox. */
export interface StoredEvent extends DomainEvent, EntryPlace {}

/** Entries that only an audit reads. Subscribers and event handlers never receive them. */
export const AUDIT_TYPES = [
  "api_key.created",
  "api_key.updated",
  "api_key.regenerated",
  "api_key.revoked",
  "api_key.secret_read",
  "api_key.secret_rotated",
  "webhook.created",
  "webhook.updated",
  "webhook.deleted",
  "webhook.secret_read",
  "webhook.secret_rotated",
  "api_key.delivery_retried",
  "api_key.deliveries_retried",
  "webhook.delivery_retried",
  "webhook.deliveries_retried",
  "webhook.replay_started",
  "webhook.replay_cancelled",
  "business.created",
  "business.updated",
  "business.tier_changed",
  "user.created",
  "user.invited",
  "user.updated",
  "user.role_changed",
  "user.disabled",
  "user.enabled",
  "user.removed",
  "user.sessions_ended",
  "user.password_changed",
  "user.password_reset",
  "user.reset_requested",
  "user.email_changed",
  "user.second_factor_enrolled",
  "user.second_factor_enabled",
  "user.second_factor_disabled",
  "user.login_failed",
  "user.login_refused",
  "user.token_reused",
  "user.logged_in",
  "user.logged_out",
  "user.recovery_code_used",
  "user.login_link_issued",
  "package.created",
  "package.updated",
  "package.deleted",
  "integration.created",
  "integration.updated",
  "integration.deleted",
  "mail.queued",
  "reminders.stopped",
  "reminders.resumed",
  "public_link.read",
] as const;
export type AuditType = (typeof AUDIT_TYPES)[number];

/**
 * An act that is no event for subscribers, kept among the events of the business. `data` has the client's `address`, if
 * known, and for changes `changes`: the values of each field before and after, without secrets.
 */
export interface AuditEntry extends Omit<DomainEvent, "type"> {
  readonly type: AuditType;
}

/** An audit entry in the outbox. Events and audit entries share the series of their business. */
export interface StoredAuditEntry extends AuditEntry, EntryPlace {}

/**
 * The kind of an entry's subject: what its type has before the dot. Each subject of a kind has its own revisions, so an
 * audit type never begins as an event type does: subscribers would see a gap.
 */
export function subjectKindOf(type: EventType | AuditType): string {
  return type.slice(0, type.indexOf("."));
}

export const SUBSCRIBER_KINDS = ["key", "endpoint"] as const;

/** A recipient of callbacks: an API key with a webhookUrl, or a webhook endpoint. */
export interface Subscriber {
  readonly kind: (typeof SUBSCRIBER_KINDS)[number];
  readonly id: string;
}
