import { err, ok, type Result } from "neverthrow";
import { findByToken } from "../budgets/offer/public-token.js";
import { parseId } from "../kernel/ids.js";
import { notFound, type Problem } from "../kernel/problem.js";
import { type Attachment, MAX_ATTACHMENTS } from "./attachment.js";
import { type AttachmentContext, noBlobs } from "./attachment-context.js";
import type { AttachmentStore } from "./attachment-store.js";
import { attachmentViewOf } from "./attachment-view.js";
import type { OpenAttachment } from "./read-attachments.js";

/** The attachments that the customer may download, newest first. */
export async function listShared(
  store: Pick<AttachmentStore, "listAttachments">,
  businessId: string,
  budgetId: string,
): Promise<readonly Attachment[]> {
  const { entries } = await store.listAttachments(businessId, budgetId, MAX_ATTACHMENTS, 0);
  return entries.filter(({ shared }) => shared === true);
}

/**
 * A shared attachment by the token of the budget's link.
 * Errors: not-implemented without a blob store; not-found, for a file that is not shared too.
 */
export async function openShared(
  { blobs, store, budgets }: AttachmentContext,
  token: string,
  id: string,
): Promise<Result<OpenAttachment, Problem>> {
  if (blobs === null) return err(noBlobs);
  const budget = await findByToken(budgets, token);
  if (budget === null || parseId(id) === null) return err(notFound("attachment", id));
  const attachment = await store.findAttachment(budget.businessId, budget.id, id);
  if (attachment?.shared !== true) return err(notFound("attachment", id));
  const content = await blobs.openBlob(id);
  return content === null ? err(notFound("attachment", id)) : ok({ attachment: attachmentViewOf(attachment), content });
}
