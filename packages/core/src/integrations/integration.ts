import type { Instant } from "../kernel/clock.js";

/** INACTIVE says that the integration is not in use for now; what it names goes on working. */
export const INTEGRATION_STATUSES = ["ACTIVE", "INACTIVE"] as const;
export type IntegrationStatus = (typeof INTEGRATION_STATUSES)[number];

/**
 * What a business has connected: a shop, an accounting package, with the key that it calls with and the webhooks that
 * call it. It is a record for people: nothing is let in or sent because of it.
 */
export interface Integration {
  readonly businessId: string;
  readonly id: string;
  readonly version: number; // from 1; every write adds one
  readonly name: string;
  readonly description: string | null;
  readonly status: IntegrationStatus;
  readonly apiKeyId: string | null; // null = it calls with no key of its own
  readonly webhookIds: readonly string[];
  readonly config: Readonly<Record<string, unknown>>; // whatever the client keeps there, in plain text
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}
