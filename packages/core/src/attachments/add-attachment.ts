import { err, ok, type Result } from "neverthrow";
import { type Actor, actorLabel } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import { type Attachment, MAX_ATTACHMENTS } from "./attachment.js";
import type { AttachmentContext } from "./attachment-context.js";
import { type AttachmentView, attachmentViewOf } from "./attachment-view.js";
import { commitBeside, presentBudget } from "./beside-budget.js";
import type { BlobStore } from "./blob-store.js";
import { safeFileName } from "./file-name.js";
import { ContentRefused, MeasuredContent } from "./measured-content.js";
import { safeMediaType } from "./media-type.js";

/** A file as it comes in: what its sender says of it, and its bytes, which are read once and never held together. */
export interface IncomingFile {
  readonly fileName: string | null; // null = it has none
  readonly contentType: string | null; // null = nothing was said
  readonly content: AsyncIterable<Uint8Array>;
}

export interface AddOptions {
  /** The moment at which the request arrived; the clock's by default. */
  readonly now?: Instant;
  /** Asked when all bytes are there, before anything is committed: gives the moment of the commit, by default the clock's, or refuses. */
  readonly confirm?: (size: number) => Promise<Result<Instant, Problem>>;
}

/**
 * Says before a byte is read whether a file could be attached.
 * Errors: not-implemented without a blob store; not-found; TOO_MANY_ATTACHMENTS.
 */
export async function checkAttachable(
  context: AttachmentContext,
  actor: Actor,
  budgetId: string,
): Promise<Result<BlobStore, Problem>> {
  if (context.blobs === null) return err(noBlobs);
  const budget = await presentBudget(context, actor, budgetId);
  if (budget.isErr()) return err(budget.error);
  const { total } = await context.store.listAttachments(actor.businessId, budgetId, 1, 0);
  return total >= MAX_ATTACHMENTS ? err(tooMany) : ok(context.blobs);
}

/**
 * Attaches a file: its bytes become a blob first, then the row and the event are committed. Whatever goes wrong before
 * the commit leaves nothing behind; a crash between the two leaves a blob that the upkeep removes.
 * Errors: those of checkAttachable; too-large; malformed for a file that takes too long; those of `confirm`; a conflict
 * when others keep changing the budget. Rejects with what `file.content` throws.
 */
export async function addAttachment(
  context: AttachmentContext,
  actor: Actor,
  budgetId: string,
  file: IncomingFile,
  { now = context.clock.now(), confirm = async () => ok(context.clock.now()) }: AddOptions = {},
): Promise<Result<AttachmentView, Problem>> {
  const blobs = await checkAttachable(context, actor, budgetId);
  if (blobs.isErr()) return err(blobs.error);
  const id = await context.ids.next();
  const content = new MeasuredContent(file.content, context.clock, now);
  const kept = await keep(blobs.value, id, content, now);
  if (kept.isErr()) return err(kept.error);
  const confirmed = await orElseRemove(context, blobs.value, id, () => confirm(content.size));
  if (confirmed.isErr()) return err(confirmed.error);
  const attachment: Attachment = {
    businessId: actor.businessId,
    budgetId,
    id,
    fileName: safeFileName(file.fileName),
    contentType: safeMediaType(file.contentType),
    size: content.size,
    sha256: content.sha256(),
    createdAt: confirmed.value,
    createdBy: actorLabel(actor),
  };
  const written = await commitAttachment(context, actor, attachment);
  if (written.isErr()) await removeBlob(context, blobs.value, id);
  return written.map(() => attachmentViewOf(attachment));
}

async function keep(
  blobs: BlobStore,
  id: string,
  content: MeasuredContent,
  now: Instant,
): Promise<Result<void, Problem>> {
  try {
    await blobs.writeBlob(id, content, now);
    return ok();
  } catch (error) {
    if (error instanceof ContentRefused) return err(error.problem);
    throw error;
  }
}

/** A throw is a failure too; only that of the commit itself leaves it open whether the row is there. */
async function orElseRemove<T>(
  context: AttachmentContext,
  blobs: BlobStore,
  id: string,
  step: () => Promise<Result<T, Problem>>,
): Promise<Result<T, Problem>> {
  let succeeded = false;
  try {
    const result = await step();
    succeeded = result.isOk();
    return result;
  } finally {
    if (!succeeded) await removeBlob(context, blobs, id);
  }
}

async function commitAttachment(
  context: AttachmentContext,
  actor: Actor,
  attachment: Attachment,
): Promise<Result<void, Problem>> {
  const { budgetId, createdAt } = attachment;
  const outcome = await commitBeside(context, actor, budgetId, createdAt, (budget, events) =>
    context.store.insertAttachment(attachment, budget.version, MAX_ATTACHMENTS, events),
  );
  if (outcome.isErr()) return err(outcome.error);
  return outcome.value === "full" ? err(tooMany) : ok();
}

/** Removes a blob that has no row; one that cannot be removed now is left to the upkeep. */
export async function removeBlob({ onError }: AttachmentContext, blobs: BlobStore, id: string): Promise<void> {
  try {
    await blobs.removeBlob(id);
  } catch (error) {
    onError(error);
  }
}

export const noBlobs: Problem = {
  kind: "not-implemented",
  message: "This service was set up without a place to keep files.",
};

const tooMany = brokenRule("TOO_MANY_ATTACHMENTS", `A budget has at most ${MAX_ATTACHMENTS} attachments.`, {
  max: MAX_ATTACHMENTS,
});
