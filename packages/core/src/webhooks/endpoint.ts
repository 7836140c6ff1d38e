import type { EventType } from "../events/event.js";
import type { Instant } from "../kernel/clock.js";

/** An endpoint takes deliveries while ACTIVE. The service disables one that keeps failing, or that answers 410. */
export const ENDPOINT_STATUSES = ["ACTIVE", "DISABLED"] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** Where a business wants its events sent. Source: contract, Events, delivery rule 6. */
export interface WebhookEndpoint {
  readonly businessId: string;
  readonly id: string;
  readonly version: number; // from 1; every write adds one
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly EventType[] | null; // null = every event
  readonly status: EndpointStatus;
  readonly disabledReason: string | null; // null = not disabled by the service
  readonly allowedIps: readonly string[] | null; // addresses the host may resolve to; null = any that is public
  readonly retryDelaysSeconds: readonly number[]; // one entry an attempt, the first 0
  readonly sealedSecret: string; // encrypted at rest
  readonly previousSealedSecret: string | null; // signs beside the new one until previousSecretUntil; null = none
  readonly previousSecretUntil: Instant | null;
  readonly failingSince: Instant | null; // first failure since the last success; null = the last attempt succeeded
  readonly healthRound: number; // from 1; made ACTIVE again, or sent elsewhere, it begins another one
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}
