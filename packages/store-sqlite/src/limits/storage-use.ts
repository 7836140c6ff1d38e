import { exceedsQuota, NO_USE, type StorageQuota, type StorageStore, type StorageUse } from "@budgetkit/core/store";
import { asInteger, idToFind, type Row } from "@budgetkit/store-kit";
import type { Connection } from "../engine/connection.js";

const SELECT_USE = `SELECT budgets, document_bytes, attachment_bytes, delivery_bytes FROM budgetkit_storage_use
  WHERE business_id = ?`;

/**
 * Counts the rows and bytes of a business in the transaction that writes them. Freed amounts are negative. Where nothing is
 * added there is no statement.
 */
export function storageCounter(connection: Connection): (business: number, added: Partial<StorageUse>) => void {
  const add = connection.command(
    `INSERT INTO budgetkit_storage_use (business_id, budgets, document_bytes, attachment_bytes, delivery_bytes)
     VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (business_id) DO UPDATE SET
       budgets = budgets + excluded.budgets,
       document_bytes = document_bytes + excluded.document_bytes,
       attachment_bytes = attachment_bytes + excluded.attachment_bytes,
       delivery_bytes = delivery_bytes + excluded.delivery_bytes`,
  );
  return (business, { budgets = 0, documentBytes = 0, attachmentBytes = 0, deliveryBytes = 0 }) => {
    const added = [budgets, documentBytes, attachmentBytes, deliveryBytes];
    if (added.some((amount) => amount !== 0)) add(business, ...added);
  };
}

/** True when a write of `added` does not fit in the quota, as part of its transaction. */
export function quotaChecker(
  connection: Connection,
): (business: number, added: StorageUse, quota: StorageQuota | null) => boolean {
  const find = connection.row(SELECT_USE);
  return (business, added, quota) => quota !== null && exceedsQuota(asUse(find(business)), added, quota);
}

export function sqliteStorage(connection: Connection): StorageStore {
  const find = connection.row(SELECT_USE);
  return { measureStorage: (businessId) => connection.read(() => asUse(find(idToFind(businessId)))) };
}

function asUse(row: Row | null): StorageUse {
  if (row === null) return NO_USE;
  const [budgets, documentBytes, attachmentBytes, deliveryBytes] = row;
  return {
    budgets: asInteger(budgets),
    documentBytes: asInteger(documentBytes),
    attachmentBytes: asInteger(attachmentBytes),
    deliveryBytes: asInteger(deliveryBytes),
  };
}
