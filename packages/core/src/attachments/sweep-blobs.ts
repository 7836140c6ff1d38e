import { HOUR_MS, type Instant } from "../kernel/clock.js";
import { removeBlob } from "./add-attachment.js";
import type { AttachmentContext } from "./attachment-context.js";

/** A blob gets its row within half an hour of its beginning (see MeasuredContent), or never. */
const LEFT_BEHIND_MS = HOUR_MS;
const BLOBS_A_ROUND = 200;

/**
 * Removes blobs that have no row: of an upload or a removal that a crash came between. Each round looks at a few blobs
 * and goes on where the one before ended. Gives how many it removed.
 */
export function createBlobSweep(context: AttachmentContext): (now: Instant) => Promise<number> {
  const { blobs, store } = context;
  let position: string | null = null;
  return async (now) => {
    if (blobs === null) return 0;
    const found = await blobs.findBlobsBefore(now - LEFT_BEHIND_MS, position, BLOBS_A_ROUND);
    position = found.next;
    if (found.ids.length === 0) return 0;
    const attached = new Set(await store.findAttachmentIds(found.ids));
    const left = found.ids.filter((id) => !attached.has(id));
    for (const id of left) await removeBlob(context, blobs, id);
    return left.length;
  };
}
