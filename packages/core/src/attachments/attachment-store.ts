import type { DomainEvent } from "../events/event.js";
import type { Page } from "../kernel/page.js";
import type { Attachment } from "./attachment.js";

/**
 * What attachments need of a store; their bytes are the blob store's. A change is committed together with its events.
 * It leaves the budget's row as it is, and happens only while the budget is at the version that the events tell of:
 * whoever deletes the budget at the same time either comes later or makes the change `"stale"`.
 */
export interface AttachmentStore {
  /**
   * Adds an attachment if the budget is at `budgetVersion` (else `"stale"`, as for a budget that is not there) and has
   * fewer than `maxOfBudget` (else `"full"`). Of several that meet at the last place exactly one is `"written"`.
   */
  insertAttachment(
    attachment: Attachment,
    budgetVersion: number,
    maxOfBudget: number,
    events: readonly DomainEvent[],
  ): Promise<"written" | "stale" | "full">;

  findAttachment(businessId: string, budgetId: string, id: string): Promise<Attachment | null>;

  /** Newest first. */
  listAttachments(businessId: string, budgetId: string, limit: number, offset: number): Promise<Page<Attachment>>;

  /**
   * Removes an attachment if the budget is at `budgetVersion`, else `"stale"`. Of several that remove the same one
   * exactly one gets `"removed"`, the others `"missing"`, as for one that is not there.
   */
  removeAttachment(
    businessId: string,
    budgetId: string,
    id: string,
    budgetVersion: number,
    events: readonly DomainEvent[],
  ): Promise<"removed" | "stale" | "missing">;

  /** Those of the ids that are an attachment's. Looks across businesses, for the upkeep of the blobs. */
  findAttachmentIds(ids: readonly string[]): Promise<readonly string[]>;
}
