import { addUse, NO_USE, type StorageStore, type StorageUse } from "@budgetkit/core/store";
import type { OpenTables, Tables } from "./tables.js";

export function memoryStorage(open: OpenTables): StorageStore {
  return { measureStorage: async (businessId) => useOf(open(), businessId) };
}

export function useOf({ storage }: Tables, businessId: string): StorageUse {
  return storage.get(businessId) ?? NO_USE;
}

/** Changes the counters of a business; freed amounts are negative. */
export function countUse(tables: Tables, businessId: string, added: Partial<StorageUse>): void {
  tables.storage.set(businessId, addUse(useOf(tables, businessId), added));
}

/** The bytes of documents as the other stores keep them. */
export function bytesOf(...documents: readonly object[]): number {
  return documents.reduce((sum, document) => sum + Buffer.byteLength(JSON.stringify(document)), 0);
}
