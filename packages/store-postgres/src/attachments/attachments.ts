import type { Attachment, AttachmentStore } from "@budgetkit/core/store";
import { asDocument, asInteger, idToFind } from "@budgetkit/store-kit";
import { pageAndTotal } from "../commit/conditions.js";
import type { Connection } from "../commit/connection.js";

const OF_BUDGET = "FROM @attachments WHERE business_id = $1 AND budget_id = $2";

export function postgresAttachments(connection: Connection): AttachmentStore {
  const find = connection.value(`SELECT document ${OF_BUDGET} AND id = $3`);
  const findIds = connection.values(
    `SELECT id FROM @attachments WHERE id = ANY ($1::bigint[])
     UNION SELECT (profile::jsonb #>> '{logo,blobId}')::bigint FROM @businesses
     WHERE profile::jsonb #>> '{logo,blobId}' = ANY ($2::text[])`,
  );

  return {
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

    findAttachmentIds: async (ids) => (await findIds(ids.map(idToFind), ids)).map((id) => String(asInteger(id))),
  };
}

function asAttachment(document: unknown): Attachment {
  return asDocument<Attachment>(document);
}
