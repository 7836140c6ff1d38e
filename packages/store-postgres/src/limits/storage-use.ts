import { asInteger, idToFind, NO_USE, type StorageStore } from "@budgetkit/core/store";
import type { Connection } from "../engine/connection.js";

export function postgresStorage(connection: Connection): StorageStore {
  const find = connection.row(
    "SELECT budgets, document_bytes, attachment_bytes FROM @storage_use WHERE business_id = $1",
  );
  return {
    measureStorage: async (businessId) => {
      const row = await find(idToFind(businessId));
      if (row === null) return NO_USE;
      const [budgets, documentBytes, attachmentBytes] = row;
      return {
        budgets: asInteger(budgets),
        documentBytes: asInteger(documentBytes),
        attachmentBytes: asInteger(attachmentBytes),
      };
    },
  };
}
