import {
  type Attachment,
  type AttachmentStore,
  asDocument,
  asInteger,
  idToFind,
  idToWrite,
} from "@budgetkit/core/store";
import type { Connection } from "../engine/connection.js";
import { outboxWriter } from "../events/events.js";
import { quotaChecker } from "../limits/storage-use.js";

export function sqliteAttachments(connection: Connection): AttachmentStore {
  const { insert, replace, remove, find, count, list, isTaken, versionOf } = statementsOn(connection);
  const prepareEvents = outboxWriter(connection);
  const exceeds = quotaChecker(connection);

  return {
    insertAttachment: async (attachment, budgetVersion, maxOfBudget, events, quota) => {
      const budget = [idToFind(attachment.businessId), idToFind(attachment.budgetId)] as const;
      const values = [idToWrite(attachment.id), attachment.createdAt, JSON.stringify(attachment)] as const;
      const appendEvents = prepareEvents(events);
      const attachmentBytes = attachment.size;
      const [business] = budget;
      return connection.write(() => {
        if (versionOf(...budget) !== budgetVersion) return "stale";
        if (asInteger(count(...budget)) >= maxOfBudget) return "attachment-limit";
        if (exceeds(business, { attachmentBytes, documentBytes: appendEvents.bytes }, quota)) return "quota-exceeded";
        insert(...budget, ...values);
        appendEvents({ business, attachmentBytes });
        return "written";
      });
    },

    findAttachment: (businessId, budgetId, id) =>
      connection.read(() => {
        const document = find(idToFind(businessId), idToFind(budgetId), idToFind(id));
        return document === undefined ? null : asAttachment(document);
      }),

    listAttachments: (businessId, budgetId, limit, offset) =>
      connection.snapshot(() => {
        const budget = [idToFind(businessId), idToFind(budgetId)] as const;
        const entries = list(...budget, limit, offset).map(asAttachment);
        return { entries, total: asInteger(count(...budget)), nextCursor: null };
      }),

    replaceAttachment: async (attachment, budgetVersion, events) => {
      const budget = [idToFind(attachment.businessId), idToFind(attachment.budgetId)] as const;
      const id = idToFind(attachment.id);
      const document = JSON.stringify(attachment);
      const appendEvents = prepareEvents(events);
      return connection.write(() => {
        if (find(...budget, id) === undefined) return "missing";
        if (versionOf(...budget) !== budgetVersion) return "stale";
        replace(document, ...budget, id);
        appendEvents({ business: budget[0] });
        return "written";
      });
    },

    removeAttachment: async (businessId, budgetId, id, budgetVersion, events) => {
      const budget = [idToFind(businessId), idToFind(budgetId)] as const;
      const appendEvents = prepareEvents(events);
      return connection.write(() => {
        const document = find(...budget, idToFind(id));
        if (document === undefined) return "missing";
        if (versionOf(...budget) !== budgetVersion) return "stale";
        remove(...budget, idToFind(id));
        appendEvents({ business: budget[0], attachmentBytes: -asAttachment(document).size });
        return "removed";
      });
    },

    findAttachmentIds: (ids) =>
      connection.snapshot(() => [...new Set(ids)].filter((id) => isTaken(idToFind(id), id) !== undefined)),
  };
}

function statementsOn(connection: Connection) {
  return {
    insert: connection.command(
      "INSERT INTO budgetkit_attachments (business_id, budget_id, id, created_at, document) VALUES (?, ?, ?, ?, ?)",
    ),
    replace: connection.command(
      "UPDATE budgetkit_attachments SET document = ? WHERE business_id = ? AND budget_id = ? AND id = ?",
    ),
    remove: connection.command("DELETE FROM budgetkit_attachments WHERE business_id = ? AND budget_id = ? AND id = ?"),
    find: connection.value(
      "SELECT document FROM budgetkit_attachments WHERE business_id = ? AND budget_id = ? AND id = ?",
    ),
    count: connection.value("SELECT count(*) FROM budgetkit_attachments WHERE business_id = ? AND budget_id = ?"),
    list: connection.values(
      `SELECT document FROM budgetkit_attachments WHERE business_id = ? AND budget_id = ?
       ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
    ),
    isTaken: connection.value(
      `SELECT 1 FROM budgetkit_attachments WHERE id = ?
       UNION ALL SELECT 1 FROM budgetkit_businesses WHERE profile ->> '$.logo.blobId' = ? LIMIT 1`,
    ),
    versionOf: connection.value("SELECT version FROM budgetkit_budgets WHERE business_id = ? AND id = ?"),
  };
}

function asAttachment(document: unknown): Attachment {
  return asDocument<Attachment>(document);
}
