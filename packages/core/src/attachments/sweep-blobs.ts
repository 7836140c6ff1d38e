import { HOUR_MS, type Instant } from "../kernel/clock.js";
import { type AttachmentContext, removeBlob } from "./attachment-context.js";

/** A blob gets its row within half an hour after its upload began (see MeasuredContent), or never. */
const ORPHAN_AGE_MS = HOUR_MS;
const BLOBS_PER_ROUND = 200;

/**
 * Removes blobs without a row, which a crash during an upload or a removal leaves. Each round checks a few blobs and
 * continues where the previous round ended. Returns the number removed.
 */
export function createBlobSweep(context: AttachmentContext): (now: Instant) => Promise<number> {
  const { blobs, store } = context;
  let position: string | null = null;
  return async (now) => {
    if (blobs === null) return 0;
    const found = await blobs.findBlobsBefore(now - ORPHAN_AGE_MS, position, BLOBS_PER_ROUND);
    position = found.next;
    if (found.ids.length === 0) return 0;
    const attached = new Set(await store.findAttachmentIds(found.ids));
    const orphans = found.ids.filter((id) => !attached.has(id));
    for (const id of orphans) await removeBlob(context, blobs, id);
    return orphans.length;
  };
}
