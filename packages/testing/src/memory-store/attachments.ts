import { type Attachment, type AttachmentStore, type Change, type Refusal, uncounted } from "@budgetkit/core/store";
import type { OpenTables, Tables } from "./tables.js";
import type { ConditionOf, WriteOf } from "./write-of.js";

export function memoryAttachments(open: OpenTables): AttachmentStore {
  return {
    findAttachment: async (businessId, budgetId, id) => findAttachment(open(), businessId, budgetId, id),

    listAttachments: async (businessId, budgetId, limit, offset) => {
      const found = attachmentsOf(open(), businessId, budgetId).sort(newestFirst);
      return { entries: found.slice(offset, offset + limit), total: found.length, nextCursor: null };
    },

    findAttachmentIds: async (ids) => {
      const { attachments, businesses } = open();
      const logos = [...businesses.values()].flatMap(({ profile }) => profile.logo?.blobId ?? []);
      const taken = new Set([...attachments.all().map(({ id }) => id), ...logos]);
      return [...new Set(ids)].filter((id) => taken.has(id));
    },
  };
}

export function attachmentChange(tables: Tables, { attachment, expected }: WriteOf<"attachment">): Change | Refusal {
  const { businessId, budgetId, id, size } = attachment;
  const save = () => tables.attachments.save(businessId, id, attachment);
  if (expected === "present") {
    return findAttachment(tables, businessId, budgetId, id) === null ? "missing" : uncounted(save);
  }
  tables.attachments.assertFree(businessId, id);
  return { added: { attachmentBytes: size }, apply: save };
}

export function attachmentRemoval(
  tables: Tables,
  businessId: string,
  { budgetId, id }: WriteOf<"attachment-removal">,
): Change | Refusal {
  const attachment = findAttachment(tables, businessId, budgetId, id);
  if (attachment === null) return "missing";
  return {
    added: { attachmentBytes: -attachment.size },
    apply: () => tables.attachments.remove(businessId, id),
  };
}

export function hasAttachmentsBelow(
  tables: Tables,
  businessId: string,
  { budgetId, limit }: ConditionOf<"attachments-below">,
): boolean {
  return attachmentsOf(tables, businessId, budgetId).length < limit;
}

function attachmentsOf({ attachments }: Tables, businessId: string, budgetId: string): Attachment[] {
  return attachments.of(businessId).filter((attachment) => attachment.budgetId === budgetId);
}

function findAttachment(tables: Tables, businessId: string, budgetId: string, id: string): Attachment | null {
  const attachment = tables.attachments.find(businessId, id);
  return attachment?.budgetId === budgetId ? attachment : null;
}

function newestFirst(a: Attachment, b: Attachment): number {
  return b.createdAt - a.createdAt || Number(b.id) - Number(a.id);
}
