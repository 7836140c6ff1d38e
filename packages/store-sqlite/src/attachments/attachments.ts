import { type Attachment, type AttachmentStore, uncounted } from "@budgetkit/core/store";
import { asDocument, asInteger, idToFind, idToWrite } from "@budgetkit/store-kit";
import type { ConditionHandlers, WriteHandlers } from "../commit/handlers.js";
import type { Connection } from "../engine/connection.js";
import { pageReader } from "../engine/page-reader.js";

const OF_BUDGET = "budgetkit_attachments WHERE business_id = ? AND budget_id = ?";
const FIND = `SELECT document FROM ${OF_BUDGET} AND id = ?`;
const COUNT = `SELECT count(*) FROM ${OF_BUDGET}`;

export function sqliteAttachments(connection: Connection): AttachmentStore {
  const find = connection.value(FIND);
  const list = pageReader(connection, { columns: "document", from: OF_BUDGET }, ([document]) =>
    asDocument<Attachment>(document),
  );
  const isTaken = connection.exists(
    `SELECT 1 FROM budgetkit_attachments WHERE id = ?
     UNION ALL SELECT 1 FROM budgetkit_businesses WHERE profile ->> '$.logo.blobId' = ? LIMIT 1`,
  );

  return {
    findAttachment: (businessId, budgetId, id) =>
      connection.read(() => {
        const document = find(idToFind(businessId), idToFind(budgetId), idToFind(id));
        return document === undefined ? null : asDocument<Attachment>(document);
      }),

    listAttachments: (businessId, budgetId, limit, offset) =>
      list([idToFind(businessId), idToFind(budgetId)], limit, offset),

    findAttachmentIds: (ids) => connection.snapshot(() => [...new Set(ids)].filter((id) => isTaken(idToFind(id), id))),
  };
}

export function attachmentWrites(connection: Connection): Pick<WriteHandlers, "attachment" | "attachment-removal"> {
  const find = connection.value(FIND);
  const insert = connection.command(
    "INSERT INTO budgetkit_attachments (created_at, document, business_id, budget_id, id) VALUES (?, ?, ?, ?, ?)",
  );
  const replace = connection.command(
    "UPDATE budgetkit_attachments SET document = ? WHERE business_id = ? AND budget_id = ? AND id = ?",
  );
  const remove = connection.command(`DELETE FROM ${OF_BUDGET} AND id = ?`);

  return {
    attachment: ({ attachment, expected }) => {
      const { businessId, budgetId, id, createdAt, size } = attachment;
      const document = JSON.stringify(attachment);
      const budget = [idToFind(businessId), idToFind(budgetId)] as const;
      if (expected === "absent") {
        const key = [...budget, idToWrite(id)] as const;
        return () => ({ added: { attachmentBytes: size }, apply: () => void insert(createdAt, document, ...key) });
      }
      const key = [...budget, idToFind(id)] as const;
      return () => (find(...key) === undefined ? "missing" : uncounted(() => void replace(document, ...key)));
    },

    "attachment-removal": ({ budgetId, id }, businessId) => {
      const key = [idToFind(businessId), idToFind(budgetId), idToFind(id)] as const;
      return () => {
        const document = find(...key);
        if (document === undefined) return "missing";
        const { size } = asDocument<Attachment>(document);
        return { added: { attachmentBytes: -size }, apply: () => void remove(...key) };
      };
    },
  };
}

export function attachmentConditions(connection: Connection): Pick<ConditionHandlers, "attachments-below"> {
  const count = connection.value(COUNT);
  return {
    "attachments-below": ({ budgetId, limit }, businessId) =>
      asInteger(count(idToFind(businessId), idToFind(budgetId))) < limit ? null : "attachment-limit",
  };
}
