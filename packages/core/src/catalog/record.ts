import type { Instant } from "../kernel/clock.js";

/** The common fields of customers, products and packages. */
export interface CatalogRecord {
  readonly businessId: string;
  readonly id: string; // chosen by the host, or assigned
  readonly version: number; // from 1; every write adds one
  readonly name: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly deletedAt: Instant | null; // null = not deleted
}

/** The members that the service sets. Only the id can come from the request. */
export type RecordBase = Omit<CatalogRecord, "name" | "metadata">;

/** The record with the changes. A field that is absent or undefined stays as it is. */
export function withChanges<T extends object>(current: T, changes: Readonly<Record<string, unknown>>): T {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...current, ...Object.fromEntries(given) };
}
