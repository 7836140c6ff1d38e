import { z } from "zod";
import { toTimestamp } from "../kernel/clock.js";
import { paginationSchema, timestampView } from "../kernel/fields.js";
import type { Attachment } from "./attachment.js";

export const attachmentViewSchema = z
  .object({
    id: z.string(),
    fileName: z.string(),
    contentType: z.string(),
    size: z.int().describe("Bytes."),
    sha256: z.string().describe("Of the bytes, in hexadecimal."),
    createdAt: timestampView,
    createdBy: z.string(),
  })
  .meta({ id: "Attachment" });
export type AttachmentView = z.infer<typeof attachmentViewSchema>;

export const attachmentListSchema = z.object({ data: z.array(attachmentViewSchema), pagination: paginationSchema });
export type AttachmentList = z.infer<typeof attachmentListSchema>;

export const removedAttachmentViewSchema = z.object({ id: z.string(), deletedAt: timestampView });
export type RemovedAttachmentView = z.infer<typeof removedAttachmentViewSchema>;

export function attachmentViewOf(attachment: Attachment): AttachmentView {
  const { id, fileName, contentType, size, sha256, createdAt, createdBy } = attachment;
  return { id, fileName, contentType, size, sha256, createdAt: toTimestamp(createdAt), createdBy };
}
