import { err, ok, type Result } from "neverthrow";
import { matchCommitted } from "../commit/match-committed.js";
import { type Actor, actorLabel } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import { exceedsQuota, quotaExceeded } from "../limits/storage-quota.js";
import { type Attachment, MAX_ATTACHMENTS } from "./attachment.js";
import { insertAttachmentCommit } from "./attachment-commits.js";
import { type AttachmentContext, noBlobs, removeBlob } from "./attachment-context.js";
import { type AttachmentView, attachmentViewOf } from "./attachment-view.js";
import { commitBeside, presentBudget } from "./beside-budget.js";
import type { BlobStore } from "./blob-store.js";
import { safeFileName, safeMediaType } from "./file-metadata.js";
import { ContentRefused, MeasuredContent } from "./measured-content.js";

/** An uploaded file. Its bytes are streamed: they are read once and never held in memory together. */
export interface IncomingFile {
  /** Null = not given. */
  readonly fileName: string | null;
  /** Null = not given. */
  readonly contentType: string | null;
  /** The bytes, read once. */
  readonly content: AsyncIterable<Uint8Array>;
}

export interface AddOptions {
  /** True: the customer may download the file on the page of the link. Default false. */
  readonly shared?: boolean;
  /** Arrival of the request. Default: the clock's time. */
  readonly now?: Instant;
  /** Called after the last byte, before the commit. Returns the time of the commit (default: the clock's) or refuses. */
  readonly confirm?: (size: number) => Promise<Result<Instant, Problem>>;
}

/**
 * Checks whether a file can be attached, before any byte is read.
 * Errors: not-implemented without a blob store; not-found; TOO_MANY_ATTACHMENTS; QUOTA_EXCEEDED when nothing more fits.
 */
export async function checkAttachable(
  context: AttachmentContext,
  actor: Actor,
  budgetId: string,
): Promise<Result<BlobStore, Problem>> {
  if (context.blobs === null) return err(noBlobs);
  const budget = await presentBudget(context, actor, budgetId);
  if (budget.isErr()) return err(budget.error);
  const { store, quota } = context;
  const { total } = await store.listAttachments(actor.businessId, budgetId, 1, 0);
  if (total >= MAX_ATTACHMENTS) return err(tooMany);
  const isFull = exceedsQuota(await store.measureStorage(actor.businessId), { attachmentBytes: 1 }, quota);
  return isFull ? err(await quotaExceeded(store, actor.businessId, quota, false)) : ok(context.blobs);
}

/**
 * Attaches a file: writes the blob, then commits the row and the event. A failure before the commit leaves nothing
 * behind; a crash between the two leaves a blob that maintenance removes.
 * Errors: those of checkAttachable; too-large; malformed for a file that arrives too slowly; those of `confirm`; conflict
 * after repeated lost writes. Rejects with the error of `file.content`.
 */
export async function addAttachment(
  context: AttachmentContext,
  actor: Actor,
  budgetId: string,
  file: IncomingFile,
  { now = context.clock.now(), confirm = async () => ok(context.clock.now()), shared = false }: AddOptions = {},
): Promise<Result<AttachmentView, Problem>> {
  const blobs = await checkAttachable(context, actor, budgetId);
  if (blobs.isErr()) return err(blobs.error);
  const id = await context.ids.next(actor.businessId);
  const content = new MeasuredContent(file.content, context.clock, now);
  const kept = await writeContent(blobs.value, id, content, now);
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
    ...(shared ? { shared } : {}),
  };
  const written = await commitAttachment(context, actor, attachment);
  if (written.isErr()) await removeBlob(context, blobs.value, id);
  return written.map(() => attachmentViewOf(attachment));
}

async function writeContent(
  blobs: BlobStore,
  id: string,
  content: MeasuredContent,
  now: Instant,
): Promise<Result<void, Problem>> {
  try {
    await blobs.writeBlob(id, content, now);
    return ok(undefined);
  } catch (error) {
    if (error instanceof ContentRefused) return err(error.problem);
    throw error;
  }
}

/** Removes the blob when the step fails or throws. Not for the commit: after its error the row may exist. */
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
  const { store, quota } = context;
  const { budgetId, createdAt } = attachment;
  const committed = await commitBeside(context, actor, budgetId, createdAt, ({ version }, events) =>
    insertAttachmentCommit(attachment, version, MAX_ATTACHMENTS, { events, quota }),
  );
  if (committed.isErr()) return err(committed.error);
  const outcome = matchCommitted(committed.value, {
    written: () => ok(undefined),
    "attachment-limit": () => err(tooMany),
    "quota-exceeded": async () => err(await quotaExceeded(store, actor.businessId, quota, false)),
  });
  return outcome();
}

const tooMany = brokenRule("TOO_MANY_ATTACHMENTS", `A budget has at most ${MAX_ATTACHMENTS} attachments.`, {
  max: MAX_ATTACHMENTS,
});
