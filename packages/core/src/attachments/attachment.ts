import type { Instant } from "../kernel/clock.js";

/** A file beside a budget. Its bytes are a blob, which is named by the attachment's id. */
export interface Attachment {
  readonly businessId: string;
  readonly budgetId: string;
  readonly id: string;
  readonly fileName: string; // made safe
  readonly contentType: string; // a well-formed media type
  readonly size: number; // bytes
  readonly sha256: string; // of the bytes, in lower-case hexadecimal
  readonly createdAt: Instant;
  readonly createdBy: string; // an actor's label
}

/** The largest file that is taken, in bytes. */
export const MAX_FILE_BYTES = 25 * 1024 * 1024;

/** How many attachments a budget may have. */
export const MAX_ATTACHMENTS = 100;
