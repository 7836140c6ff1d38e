import type { Page } from "../kernel/page.js";
import type { Integration } from "./integration.js";

/** The store's port for integrations: their reads. */
export interface IntegrationStore {
  findIntegration(businessId: string, id: string): Promise<Integration | null>;
  /** Newest first; integrations of the same millisecond by id, as an integer, highest first. */
  listIntegrations(businessId: string, limit: number, offset: number): Promise<Page<Integration>>;
}
