import type { Instant } from "../kernel/clock.js";

/** INACTIVE marks an integration as unused. Its key and its webhooks keep working. */
export const INTEGRATION_STATUSES = ["ACTIVE", "INACTIVE"] as const;
export type IntegrationStatus = (typeof INTEGRATION_STATUSES)[number];

/**
 * A connected system, such as a shop or an accounting package, with its API key and its webhooks. It is a note for
 * users: it grants no access and sends nothing.
 */
export interface Integration {
  readonly businessId: string;
  readonly id: string;
  readonly version: number; // from 1; every write adds one
  readonly name: string;
  readonly description: string | null; // null = none
  readonly status: IntegrationStatus;
  readonly apiKeyId: string | null; // null = no key
  readonly webhookIds: readonly string[];
  readonly config: Readonly<Record<string, unknown>>; // free data of the client, in plain text
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}
