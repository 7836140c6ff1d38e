import { z } from "zod";
import { toTimestamp } from "../kernel/clock.js";
import { paginationSchema, timestampView } from "../kernel/fields.js";
import type { Attachment } from "./attachment.js";

export const attachmentViewSchema = z
  .object({
    /** Assigned by the service. */
    id: z.string(),
    /** Name for people to read. */
    fileName: z.string(),
    /** Media type of the content. */
    contentType: z.string(),
    /** Bytes. */
    size: z.int().describe("Bytes."),
    /** Of the bytes, in hexadecimal. */
    sha256: z.string().describe("Of the bytes, in hexadecimal."),
    /** ISO 8601, in UTC. */
    createdAt: timestampView,
    /** Who created it: `user:7`, `key:12`, `customer:Ana` or `system`. */
    createdBy: z.string(),
    /** True: the customer may download it. Absent = for the business alone. */
    shared: z.literal(true).optional().describe("The customer may download it. Absent = for the business alone."),
  })
  .meta({ id: "Attachment" });
export type AttachmentView = z.infer<typeof attachmentViewSchema>;

export const attachmentListSchema = z.object({
  /** The entries of this page. */
  data: z.array(attachmentViewSchema),
  /** Which page this is, and how many there are. */
  pagination: paginationSchema,
});
export type AttachmentList = z.infer<typeof attachmentListSchema>;

export const removedAttachmentViewSchema = z.object({ id: z.string(), deletedAt: timestampView });
export type RemovedAttachmentView = z.infer<typeof removedAttachmentViewSchema>;

export function attachmentViewOf(attachment: Attachment): AttachmentView {
  const { id, fileName, contentType, size, sha256, createdAt, createdBy, shared } = attachment;
  const view = { id, fileName, contentType, size, sha256, createdAt: toTimestamp(createdAt), createdBy };
  return shared === undefined ? view : { ...view, shared };
}
