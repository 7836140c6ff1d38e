import { err, ok, type Result } from "neverthrow";
import { matchCommitted } from "../commit/match-committed.js";
import type { Actor } from "../kernel/actor.js";
import { type Instant, toTimestamp } from "../kernel/clock.js";
import { parseId } from "../kernel/ids.js";
import { notFound, type Problem } from "../kernel/problem.js";
import { removeAttachmentCommit } from "./attachment-commits.js";
import { type AttachmentContext, noBlobs, removeBlob } from "./attachment-context.js";
import type { RemovedAttachmentView } from "./attachment-view.js";
import { commitBeside, presentBudget } from "./beside-budget.js";

/**
 * Deletes the row together with its event, then the blob. Errors: not-implemented without a blob store; not-found;
 * conflict after repeated lost writes.
 */
export async function removeAttachment(
  context: AttachmentContext,
  actor: Actor,
  budgetId: string,
  id: string,
  now: Instant = context.clock.now(),
): Promise<Result<RemovedAttachmentView, Problem>> {
  const { blobs } = context;
  if (blobs === null) return err(noBlobs);
  if (parseId(id) === null) {
    return (await presentBudget(context, actor, budgetId)).andThen(() => err(notFound("attachment", id)));
  }
  const removed = { businessId: actor.businessId, budgetId, id };
  const committed = await commitBeside(context, actor, budgetId, now, ({ version }, events) =>
    removeAttachmentCommit(removed, version, { events }),
  );
  if (committed.isErr()) return err(committed.error);
  if (!matchCommitted(committed.value, { written: true, missing: false })) return err(notFound("attachment", id));
  await removeBlob(context, blobs, id);
  return ok({ id, deletedAt: toTimestamp(now) });
}
