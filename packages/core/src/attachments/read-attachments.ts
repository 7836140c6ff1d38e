import { err, ok, type Result } from "neverthrow";
import type { Actor } from "../kernel/actor.js";
import { parseId } from "../kernel/ids.js";
import { type PageRequest, paginationOf } from "../kernel/page.js";
import { notFound, type Problem } from "../kernel/problem.js";
import type { Attachment } from "./attachment.js";
import { type AttachmentContext, noBlobs } from "./attachment-context.js";
import { type AttachmentList, type AttachmentView, attachmentViewOf } from "./attachment-view.js";
import { presentBudget } from "./beside-budget.js";

/** The attachments of a budget, newest first. Errors: not-implemented without a blob store; not-found. */
export async function listAttachments(
  context: AttachmentContext,
  actor: Actor,
  budgetId: string,
  request: PageRequest,
): Promise<Result<AttachmentList, Problem>> {
  if (context.blobs === null) return err(noBlobs);
  const budget = await presentBudget(context, actor, budgetId);
  if (budget.isErr()) return err(budget.error);
  const offset = (request.page - 1) * request.limit;
  const page = await context.store.listAttachments(actor.businessId, budgetId, request.limit, offset);
  return ok({ data: page.entries.map(attachmentViewOf), pagination: paginationOf(request, page) });
}

/** The content is read on demand. */
export interface OpenAttachment {
  /** What is known about the file. */
  readonly attachment: AttachmentView;
  /** The bytes, read on demand. */
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Errors: not-implemented without a blob store; not-found. Rejects when the row exists and its blob is missing.
 */
export async function openAttachment(
  context: AttachmentContext,
  actor: Actor,
  budgetId: string,
  id: string,
): Promise<Result<OpenAttachment, Problem>> {
  if (context.blobs === null) return err(noBlobs);
  const attachment = await findAttachment(context, actor, budgetId, id);
  if (attachment.isErr()) return err(attachment.error);
  const content = await context.blobs.openBlob(id);
  if (content !== null) return ok({ attachment: attachmentViewOf(attachment.value), content });
  // The attachment may have been removed between the two reads.
  const again = await findAttachment(context, actor, budgetId, id);
  if (again.isErr()) return err(again.error);
  throw new Error(`the blob of attachment ${id} is missing`);
}

async function findAttachment(
  context: AttachmentContext,
  actor: Actor,
  budgetId: string,
  id: string,
): Promise<Result<Attachment, Problem>> {
  const budget = await presentBudget(context, actor, budgetId);
  if (budget.isErr()) return err(budget.error);
  const isId = parseId(id) !== null;
  const attachment = isId ? await context.store.findAttachment(actor.businessId, budgetId, id) : null;
  return attachment === null ? err(notFound("attachment", id)) : ok(attachment);
}
