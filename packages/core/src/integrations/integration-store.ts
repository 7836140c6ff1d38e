import type { AuditEntry } from "../events/event.js";
import type { Page } from "../kernel/page.js";
import type { Integration } from "./integration.js";

/**
 * The store's port for integrations. Each method is atomic. The caller checks that referenced keys and webhooks exist.
 * An `audit` entry commits together with the write, or not at all; null = none.
 */
export interface IntegrationStore {
  /**
   * Rejects when the id is taken. Writes nothing and returns `"integration-limit"` when the business has `limit`
   * integrations of any status. Concurrent callers never exceed the limit. No limit by default.
   */
  insertIntegration(
    integration: Integration,
    limit?: number,
    audit?: AuditEntry | null,
  ): Promise<"written" | "integration-limit">;
  findIntegration(businessId: string, id: string): Promise<Integration | null>;
  /** Newest first; integrations of the same millisecond by id, as an integer, highest first. */
  listIntegrations(businessId: string, limit: number, offset: number): Promise<Page<Integration>>;
  /** Compare-and-set: of concurrent writers that expect one version exactly one gets `"written"`. */
  replaceIntegration(
    integration: Integration,
    expectedVersion: number,
    audit?: AuditEntry | null,
  ): Promise<"written" | "stale">;
  /** False when there is none; of concurrent callers exactly one gets true. */
  deleteIntegration(businessId: string, id: string, audit?: AuditEntry | null): Promise<boolean>;
}
