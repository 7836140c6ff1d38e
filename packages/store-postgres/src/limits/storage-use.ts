import { asInteger, idToFind, NO_USE, type StorageStore } from "@budgetkit/core/store";
import type { Connection } from "../engine/connection.js";

export function postgresStorage(connection: Connection): StorageStore {
  const find = connection.row(
    `SELECT coalesce(sum(budgets), 0)::bigint, coalesce(sum(document_bytes), 0)::bigint,
       coalesce(sum(attachment_bytes), 0)::bigint, coalesce(sum(delivery_bytes), 0)::bigint
     FROM (
       SELECT budgets, document_bytes, attachment_bytes, delivery_bytes FROM @storage_use WHERE business_id = $1
       UNION ALL
       SELECT 0, 0, 0, bytes FROM @delivery_use WHERE business_id = $1
     ) AS stored`,
  );
  return {
    measureStorage: async (businessId) => {
      const row = await find(idToFind(businessId));
      if (row === null) return NO_USE;
      const [budgets, documentBytes, attachmentBytes, deliveryBytes] = row;
      return {
        budgets: asInteger(budgets),
        documentBytes: asInteger(documentBytes),
        attachmentBytes: asInteger(attachmentBytes),
        deliveryBytes: asInteger(deliveryBytes),
      };
    },
  };
}
