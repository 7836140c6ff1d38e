import { NO_USE, type StorageStore } from "@budgetkit/core/store";
import { asInteger, idToFind } from "@budgetkit/store-kit";
import type { Connection } from "../commit/connection.js";

const COUNTERS = ["budgets", "document_bytes", "attachment_bytes", "delivery_bytes"];

/** The sums of the counters of businesses: those of commits and those of the dispatcher. */
export function storageSums(where: string): string {
  return `SELECT business_id, ${COUNTERS.map((counter) => `sum(${counter})::bigint AS ${counter}`).join(", ")} FROM (
      SELECT business_id, ${COUNTERS.join(", ")} FROM @storage_use WHERE ${where}
      UNION ALL
      SELECT business_id, 0, 0, 0, bytes FROM @delivery_use WHERE ${where}
    ) AS stored GROUP BY business_id`;
}

export function postgresStorage(connection: Connection): StorageStore {
  const find = connection.row(storageSums("business_id = $1"));
  return {
    measureStorage: async (businessId) => {
      const row = await find(idToFind(businessId));
      if (row === null) return NO_USE;
      const [, budgets, documentBytes, attachmentBytes, deliveryBytes] = row;
      return {
        budgets: asInteger(budgets),
        documentBytes: asInteger(documentBytes),
        attachmentBytes: asInteger(attachmentBytes),
        deliveryBytes: asInteger(deliveryBytes),
      };
    },
  };
}
