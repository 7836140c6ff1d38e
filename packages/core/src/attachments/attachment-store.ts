import type { EventToCommit } from "../events/delivery-plan.js";
import type { Page } from "../kernel/page.js";
import type { StorageQuota } from "../limits/storage-quota.js";
import type { Attachment } from "./attachment.js";

/**
 * The store's port for attachments; the blob store keeps their bytes. A change commits together with its events and
 * leaves the budget's row unchanged. It requires the budget version that the events describe: a concurrent deletion of
 * the budget either commits later or makes the change `"stale"`.
 */
export interface AttachmentStore {
  /**
   * Inserts an attachment if the budget is at `budgetVersion` (else, and for an unknown budget, `"stale"`) and has fewer
   * than `maxOfBudget` attachments (else `"attachment-limit"`). `"quota-exceeded"` when the business would store
   * more than `quota` (default: no limit). Concurrent callers never exceed a limit.
   */
  insertAttachment(
    attachment: Attachment,
    budgetVersion: number,
    maxOfBudget: number,
    events: readonly EventToCommit[],
    quota?: StorageQuota,
  ): Promise<"written" | "stale" | "attachment-limit" | "quota-exceeded">;

  findAttachment(businessId: string, budgetId: string, id: string): Promise<Attachment | null>;

  /** Newest first. */
  listAttachments(businessId: string, budgetId: string, limit: number, offset: number): Promise<Page<Attachment>>;

  /**
   * Replaces an attachment by one of the same size if the budget is at `budgetVersion`, else `"stale"`; `"missing"` when
   * it is not there.
   */
  replaceAttachment(
    attachment: Attachment,
    budgetVersion: number,
    events: readonly EventToCommit[],
  ): Promise<"written" | "stale" | "missing">;

  /**
   * Removes an attachment if the budget is at `budgetVersion`, else `"stale"`. Of concurrent callers exactly one gets
   * `"removed"`; the others get `"missing"`, as for an unknown attachment.
   */
  removeAttachment(
    businessId: string,
    budgetId: string,
    id: string,
    budgetVersion: number,
    events: readonly EventToCommit[],
  ): Promise<"removed" | "stale" | "missing">;

  /** The given ids that are of an attachment or a logo, in any business. Maintenance uses it to find orphaned blobs. */
  findAttachmentIds(ids: readonly string[]): Promise<readonly string[]>;
}
