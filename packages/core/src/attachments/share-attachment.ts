import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { matchCommitted } from "../commit/match-committed.js";
import type { Actor } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import { parseId } from "../kernel/ids.js";
import { notFound, type Problem } from "../kernel/problem.js";
import type { Attachment } from "./attachment.js";
import { replaceAttachmentCommit } from "./attachment-commits.js";
import { type AttachmentContext, noBlobs } from "./attachment-context.js";
import { type AttachmentView, attachmentViewOf } from "./attachment-view.js";
import { commitBeside, presentBudget } from "./beside-budget.js";

export const shareAttachmentSchema = z
  .object({
    /** Whether the customer may download the file on the page of the link. */
    shared: z.boolean().describe("Whether the customer may download the file on the page of the link."),
  })
  .meta({ id: "ShareAttachment" });
export type ShareAttachment = z.infer<typeof shareAttachmentSchema>;

/**
 * Shares a file with the customer, or ends that. An attachment that is so already is left unchanged, without an event.
 * Errors: not-implemented without a blob store; not-found; conflict after repeated lost writes.
 */
export async function shareAttachment(
  context: AttachmentContext,
  actor: Actor,
  budgetId: string,
  id: string,
  { shared }: ShareAttachment,
  now: Instant = context.clock.now(),
): Promise<Result<AttachmentView, Problem>> {
  const { blobs, store } = context;
  if (blobs === null) return err(noBlobs);
  const budget = await presentBudget(context, actor, budgetId);
  if (budget.isErr()) return err(budget.error);
  const found = parseId(id) === null ? null : await store.findAttachment(actor.businessId, budgetId, id);
  if (found === null) return err(notFound("attachment", id));
  if ((found.shared === true) === shared) return ok(attachmentViewOf(found));
  const next = withSharing(found, shared);
  const committed = await commitBeside(context, actor, budgetId, now, ({ version }, events) =>
    replaceAttachmentCommit(next, version, { events }),
  );
  return committed.andThen((ended) =>
    matchCommitted(ended, { written: ok(attachmentViewOf(next)), missing: err(notFound("attachment", id)) }),
  );
}

function withSharing({ shared: _, ...attachment }: Attachment, shared: boolean): Attachment {
  return shared ? { ...attachment, shared } : attachment;
}
