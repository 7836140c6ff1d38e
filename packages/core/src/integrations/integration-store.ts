import type { Page } from "../kernel/page.js";
import type { Integration } from "./integration.js";

/** What integrations need of a store. Each method is atomic. That what they name exists is seen to by who calls. */
export interface IntegrationStore {
  /**
   * Rejects when the id is taken. `"full"` when the business has `limit` of them, whatever their status: nothing is
   * written. However many callers there are at once, there are never more; no limit by default.
   */
  insertIntegration(integration: Integration, limit?: number): Promise<"written" | "full">;
  findIntegration(businessId: string, id: string): Promise<Integration | null>;
  /** Newest first; of those of the same moment the higher id, as an integer, first. */
  listIntegrations(businessId: string, limit: number, offset: number): Promise<Page<Integration>>;
  /** Compare-and-set on the version: of several writers that expect the same one exactly one gets `"written"`. */
  replaceIntegration(integration: Integration, expectedVersion: number): Promise<"written" | "stale">;
  /** Removes it for good; false when there is none. Of several callers one gets true. */
  deleteIntegration(businessId: string, id: string): Promise<boolean>;
}
