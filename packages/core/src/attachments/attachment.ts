import type { Instant } from "../kernel/clock.js";

/** A file of a budget. Its bytes are the blob with the attachment's id. */
export interface Attachment {
  readonly businessId: string;
  readonly budgetId: string;
  readonly id: string;
  readonly fileName: string; // see safeFileName
  readonly contentType: string; // a well-formed media type
  readonly size: number; // bytes
  readonly sha256: string; // of the bytes, in lower-case hexadecimal
  readonly createdAt: Instant;
  readonly createdBy: string; // an actor's label
  readonly shared?: true; // the customer may download it; absent = for the business alone
}

/** Bytes per file. */
export const MAX_FILE_BYTES = 25 * 1024 * 1024;

/** Per budget. */
export const MAX_ATTACHMENTS = 100;
