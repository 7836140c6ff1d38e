import { toTimestamp } from "../kernel/clock.js";
import type { CatalogRecord } from "./record.js";

/** The members of a view that follow from any record. */
export function recordMembersOf({ id, version, createdAt, updatedAt, deletedAt }: CatalogRecord) {
  return {
    id,
    version,
    createdAt: toTimestamp(createdAt),
    updatedAt: toTimestamp(updatedAt),
    ...(deletedAt === null ? {} : { deletedAt: toTimestamp(deletedAt) }),
  };
}
