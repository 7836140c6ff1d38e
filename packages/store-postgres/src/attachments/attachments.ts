import {
  type Attachment,
  type AttachmentStore,
  asDocument,
  asInteger,
  idToFind,
  idToWrite,
} from "@budgetkit/core/store";
import { pageAndTotal } from "../engine/conditions.js";
import type { Connection } from "../engine/connection.js";
import { eventRows, reportedPlans } from "../events/events.js";
import { ATTACHMENT_COMMITS } from "./attachment-functions.js";

const OF_BUDGET = "FROM @attachments WHERE business_id = $1 AND budget_id = $2";

export function postgresAttachments(connection: Connection): AttachmentStore {
  const commit = connection.commits(ATTACHMENT_COMMITS);
  const find = connection.value(`SELECT document ${OF_BUDGET} AND id = $3`);
  const findIds = connection.values(
    `SELECT id FROM @attachments WHERE id = ANY ($1::bigint[])
     UNION SELECT (profile::jsonb #>> '{logo,blobId}')::bigint FROM @businesses
     WHERE profile::jsonb #>> '{logo,blobId}' = ANY ($2::text[])`,
  );

  return {
    insertAttachment: async (attachment, budgetVersion, maxOfBudget, events, quota) => {
      const row = attachmentRow(attachment);
      const rows = eventRows(connection, events);
      const argument = {
        attachment: row,
        budgetVersion,
        maxOfBudget,
        events: rows,
        bytes: rows.reduce((sum, { document }) => sum + Buffer.byteLength(document), attachment.size),
        quota: quota ?? null,
      };
      return commit("insert_attachment", row.business_id, argument, { planned: reportedPlans(events) });
    },

    findAttachment: async (businessId, budgetId, id) => {
      const document = await find(idToFind(businessId), idToFind(budgetId), idToFind(id));
      return document === undefined ? null : asAttachment(document);
    },

    listAttachments: async (businessId, budgetId, limit, offset) => {
      const { total, rows } = await pageAndTotal(connection, {
        total: `SELECT count(*) AS n ${OF_BUDGET}`,
        page: `SELECT created_at, id, document ${OF_BUDGET} ORDER BY created_at DESC, id DESC`,
        order: "page.created_at DESC, page.id DESC",
        columns: ["document"],
        values: [idToFind(businessId), idToFind(budgetId)],
        limit,
        offset,
      });
      return { entries: rows.map(([document]) => asAttachment(document)), total, nextCursor: null };
    },

    replaceAttachment: async (attachment, budgetVersion, events) => {
      const row = attachmentRow(attachment, idToFind(attachment.id));
      const argument = {
        attachment: row,
        budgetVersion,
        events: eventRows(connection, events),
      };
      return commit("replace_attachment", row.business_id, argument, { planned: reportedPlans(events) });
    },

    removeAttachment: async (businessId, budgetId, id, budgetVersion, events) => {
      const business = idToFind(businessId);
      const argument = {
        business_id: business,
        budget_id: idToFind(budgetId),
        id: idToFind(id),
        budgetVersion,
        events: eventRows(connection, events),
      };
      return commit("remove_attachment", business, argument, { planned: reportedPlans(events) });
    },

    findAttachmentIds: async (ids) => (await findIds(ids.map(idToFind), ids)).map((id) => String(asInteger(id))),
  };
}

function attachmentRow(attachment: Attachment, id = idToWrite(attachment.id)) {
  const { businessId, budgetId, createdAt } = attachment;
  return {
    business_id: idToFind(businessId),
    budget_id: idToFind(budgetId),
    id,
    created_at: createdAt,
    document: JSON.stringify(attachment),
  };
}

function asAttachment(document: unknown): Attachment {
  return asDocument<Attachment>(document);
}
