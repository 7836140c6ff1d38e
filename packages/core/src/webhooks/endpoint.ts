import type { EventPattern } from "../events/event-pattern.js";
import type { Instant } from "../kernel/clock.js";
import type { EventFilter } from "./filters/filter-schema.js";

/** Only ACTIVE endpoints get deliveries. The service disables an endpoint that keeps failing or returns 410. */
export const ENDPOINT_STATUSES = ["ACTIVE", "DISABLED"] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** Whether an endpoint gets the events of a subject one after the other. */
export const ORDERINGS = ["none", "subject"] as const;

/** Per business, disabled ones included. Each event makes one delivery per endpoint. */
export const MAX_ENDPOINTS = 100;

/** A URL of a business that receives its events. Source: contract, Events, delivery rule 6. */
export interface WebhookEndpoint {
  readonly businessId: string;
  readonly id: string;
  readonly version: number; // from 1; every write adds one
  readonly url: string;
  readonly description: string | null; // null = none
  readonly events: readonly EventPattern[] | null; // null = every event
  readonly filter?: EventFilter; // absent = no conditions
  readonly status: EndpointStatus;
  readonly disabledReason: string | null; // null = not disabled by the service
  readonly allowedIps: readonly string[] | null; // allowed addresses of the host; null = any public address
  readonly retryDelaysSeconds: readonly number[]; // one entry per attempt; the first is 0
  readonly ordering?: "subject"; // of events that are fanned out from now on; absent = none
  readonly sealedSecret: string; // encrypted at rest
  readonly previousSealedSecret: string | null; // signs too until previousSecretUntil; null = none
  readonly previousSecretUntil: Instant | null; // null = no previous secret
  readonly failingSince: Instant | null; // first failure since the last success; null = the last attempt succeeded
  readonly failedOn?: readonly Instant[]; // since then, failures at least a day apart, oldest first; absent = none
  readonly healthRound: number; // from 1; a reactivation or a new URL begins another round
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}
