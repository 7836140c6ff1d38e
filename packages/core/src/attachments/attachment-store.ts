import type { Page } from "../kernel/page.js";
import type { Attachment } from "./attachment.js";

/** The store's port for attachments: their reads. The blob store keeps their bytes. */
export interface AttachmentStore {
  findAttachment(businessId: string, budgetId: string, id: string): Promise<Attachment | null>;

  /** Newest first. */
  listAttachments(businessId: string, budgetId: string, limit: number, offset: number): Promise<Page<Attachment>>;

  /** The given ids that are of an attachment or a logo, in any business. Maintenance uses it to find orphaned blobs. */
  findAttachmentIds(ids: readonly string[]): Promise<readonly string[]>;
}
