import type { Instant } from "../kernel/clock.js";

/** What customers, products and packages have in common. */
export interface CatalogRecord {
  readonly businessId: string;
  readonly id: string; // the host's own choice, or assigned
  readonly version: number; // from 1; every write adds one
  readonly name: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly deletedAt: Instant | null; // null = not deleted
}

/** The members of a record that no request sets, but for the id that the host may choose. */
export type RecordBase = Omit<CatalogRecord, "name" | "metadata">;

/** The changes in the place of what was there; a field that is absent or undefined stays as it is. */
export function withChanges<T extends object>(current: T, changes: Readonly<Record<string, unknown>>): T {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...current, ...Object.fromEntries(given) };
}
