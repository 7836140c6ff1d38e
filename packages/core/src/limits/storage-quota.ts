import { brokenRule, type Problem } from "../kernel/problem.js";

/** The rows and bytes of one business that count against its quota. */
export interface StorageUse {
  readonly budgets: number; // deleted ones included
  readonly documentBytes: number; // JSON of budgets, earlier revisions, events and audit entries
  readonly attachmentBytes: number;
  readonly deliveryBytes: number; // of webhook deliveries with their bodies and attempts
}

/** The most that a business may store. */
export interface StorageQuota {
  /** Null = unlimited. */
  readonly budgets: number | null;
  /** Of documents, attachments and deliveries together; null = unlimited. */
  readonly bytes: number | null;
}

export const NO_USE: StorageUse = { budgets: 0, documentBytes: 0, attachmentBytes: 0, deliveryBytes: 0 };

/** The store's port for storage quotas. */
export interface StorageStore {
  /**
   * The use of a business. Every commit that adds or removes counted rows changes the counters with them, so that a
   * write that is given a quota never exceeds it, however many run at the same time.
   */
  measureStorage(businessId: string): Promise<StorageUse>;
}

export function addUse(use: StorageUse, added: Partial<StorageUse>): StorageUse {
  return {
    budgets: use.budgets + (added.budgets ?? 0),
    documentBytes: use.documentBytes + (added.documentBytes ?? 0),
    attachmentBytes: use.attachmentBytes + (added.attachmentBytes ?? 0),
    deliveryBytes: use.deliveryBytes + (added.deliveryBytes ?? 0),
  };
}

export function bytesOfUse({ documentBytes, attachmentBytes, deliveryBytes }: StorageUse): number {
  return documentBytes + attachmentBytes + deliveryBytes;
}

/** True when a write of `added` does not fit. A write that frees bytes fits always. */
export function exceedsQuota(use: StorageUse, added: Partial<StorageUse>, quota: StorageQuota): boolean {
  const after = addUse(use, added);
  const isAbove = (value: number, limit: number | null) => limit !== null && value > limit;
  return (
    (after.budgets > use.budgets && isAbove(after.budgets, quota.budgets)) ||
    (bytesOfUse(after) > bytesOfUse(use) && isAbove(bytesOfUse(after), quota.bytes))
  );
}

/**
 * The refusal of a write that adds to a business whose bytes are used up; null = there is room. Only the state before the
 * write counts, so a write of the catalog may go beyond the quota by its own size, and writes at the same time by theirs.
 */
export async function refuseWhenFull(
  store: StorageStore,
  businessId: string,
  quota: StorageQuota,
): Promise<Problem | null> {
  return (await isStorageFull(store, businessId, quota)) ? quotaExceeded(store, businessId, quota, false) : null;
}

/** True when the bytes of a business are used up. */
export async function isStorageFull(store: StorageStore, businessId: string, quota: StorageQuota): Promise<boolean> {
  if (quota.bytes === null) return false;
  return exceedsQuota(await store.measureStorage(businessId), { documentBytes: 1 }, quota);
}

/** The refusal of a write that a store reported as `"quota-exceeded"`. `addsBudget`: whether it would add a budget. */
export async function quotaExceeded(
  store: StorageStore,
  businessId: string,
  quota: StorageQuota,
  addsBudget: boolean,
): Promise<Problem> {
  const use = await store.measureStorage(businessId);
  const isOfBudgets = addsBudget && quota.budgets !== null && use.budgets >= quota.budgets;
  const resource = isOfBudgets ? "budgets" : "bytes";
  const limit = quota[resource];
  const used = isOfBudgets ? use.budgets : bytesOfUse(use);
  const message = `The business stores ${used} of ${limit} ${resource}; this write does not fit. The operator sets the limit.`;
  return brokenRule("QUOTA_EXCEEDED", message, { resource, limit, used });
}
