import { bytesOfUse, type StorageUse } from "../limits/storage-quota.js";
import type { AccessContext } from "./access-context.js";

/** A used amount and the most that is allowed; null = unlimited. */
interface Share {
  /** What is stored now. */
  readonly used: number;
  /** The most that is allowed; null = unlimited. */
  readonly limit: number | null;
}

/** The storage of a business beside its quota. */
export interface StorageView {
  /** Number of budgets. */
  readonly budgets: Share;
  /** Bytes of documents, attachments and deliveries together. */
  readonly bytes: Share;
  /** Bytes of budgets and of the other documents. */
  readonly documentBytes: StorageUse["documentBytes"];
  /** Bytes of attached files. */
  readonly attachmentBytes: StorageUse["attachmentBytes"];
  /** Bytes of webhook deliveries, with their bodies and attempts. */
  readonly deliveryBytes: StorageUse["deliveryBytes"];
}

/** For the operator: no HTTP route calls this. Null = no such business. */
export async function measureBusiness({ store, quota }: AccessContext, id: string): Promise<StorageView | null> {
  if ((await store.findBusiness(id)) === null) return null;
  const use = await store.measureStorage(id);
  return {
    budgets: { used: use.budgets, limit: quota.budgets },
    bytes: { used: bytesOfUse(use), limit: quota.bytes },
    documentBytes: use.documentBytes,
    attachmentBytes: use.attachmentBytes,
    deliveryBytes: use.deliveryBytes,
  };
}
