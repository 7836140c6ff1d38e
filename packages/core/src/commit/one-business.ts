import type { Commit } from "./commit.js";

/**
 * Throws a TypeError for a commit with a record, an event or an entry of another business than its own: a fault of the
 * operation, whose conditions and counters would be those of the wrong business.
 */
export function assertOneBusiness(commit: Commit<object, object>): void {
  const { businessId, writes, events, audit, completes } = commit;
  for (const write of writes) for (const record of Object.values(write)) assertOwn(businessId, record);
  for (const entry of [...events, ...audit]) assertOwn(businessId, entry);
  if (completes !== null) assertOwn(businessId, completes);
}

function assertOwn(businessId: string, record: unknown): void {
  const own = businessOf(record);
  if (own === undefined || own === businessId) return;
  throw new TypeError(`a commit of business ${businessId} has a part of business ${String(own)}`);
}

/** Undefined = the record names no business. A business itself is the only record with a tier of its own. */
function businessOf(record: unknown): unknown {
  if (typeof record !== "object" || record === null) return undefined;
  if ("businessId" in record) return record.businessId;
  return "tier" in record && "id" in record ? record.id : undefined;
}
