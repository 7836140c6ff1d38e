import { type Attachment, type AttachmentStore, exceedsQuota } from "@budgetkit/core/store";
import { appendEvents } from "./events.js";
import { bytesOf, countUse, useOf } from "./storage-use.js";
import type { OpenTables, Tables } from "./tables.js";

export function memoryAttachments(open: OpenTables): AttachmentStore {
  return {
    insertAttachment: async (attachment, budgetVersion, maxOfBudget, events, quota) => {
      const tables = open();
      const { businessId, budgetId, id } = attachment;
      if (tables.budgets.find(businessId, budgetId)?.version !== budgetVersion) return "stale";
      if (attachmentsOf(tables, businessId, budgetId).length >= maxOfBudget) return "attachment-limit";
      const attachmentBytes = attachment.size;
      const added = { attachmentBytes, documentBytes: bytesOf(...events) };
      if (quota !== undefined && exceedsQuota(useOf(tables, businessId), added, quota)) return "quota-exceeded";
      tables.attachments.add(businessId, id, attachment);
      countUse(tables, businessId, { attachmentBytes });
      appendEvents(tables, events);
      return "written";
    },

    findAttachment: async (businessId, budgetId, id) => findAttachment(open(), businessId, budgetId, id),

    listAttachments: async (businessId, budgetId, limit, offset) => {
      const found = attachmentsOf(open(), businessId, budgetId).sort(newestFirst);
      return { entries: found.slice(offset, offset + limit), total: found.length, nextCursor: null };
    },

    replaceAttachment: async (attachment, budgetVersion, events) => {
      const tables = open();
      const { businessId, budgetId, id } = attachment;
      if (findAttachment(tables, businessId, budgetId, id) === null) return "missing";
      if (tables.budgets.find(businessId, budgetId)?.version !== budgetVersion) return "stale";
      tables.attachments.save(businessId, id, attachment);
      appendEvents(tables, events);
      return "written";
    },

    removeAttachment: async (businessId, budgetId, id, budgetVersion, events) => {
      const tables = open();
      const attachment = findAttachment(tables, businessId, budgetId, id);
      if (attachment === null) return "missing";
      if (tables.budgets.find(businessId, budgetId)?.version !== budgetVersion) return "stale";
      tables.attachments.remove(businessId, id);
      countUse(tables, businessId, { attachmentBytes: -attachment.size });
      appendEvents(tables, events);
      return "removed";
    },

    findAttachmentIds: async (ids) => {
      const { attachments, businesses } = open();
      const logos = [...businesses.values()].flatMap(({ profile }) => profile.logo?.blobId ?? []);
      const taken = new Set([...attachments.all().map(({ id }) => id), ...logos]);
      return [...new Set(ids)].filter((id) => taken.has(id));
    },
  };
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
