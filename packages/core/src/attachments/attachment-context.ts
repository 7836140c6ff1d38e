import type { BudgetContext } from "../budgets/budget-context.js";
import type { Clock } from "../kernel/clock.js";
import type { IdSource } from "../kernel/ids.js";
import type { UploadQuotaStore } from "../limits/upload-quota-store.js";
import type { AttachmentStore } from "./attachment-store.js";
import type { BlobStore } from "./blob-store.js";

/** What attachments work with. */
export interface AttachmentContext {
  readonly store: AttachmentStore & UploadQuotaStore;
  readonly budgets: BudgetContext;
  readonly blobs: BlobStore | null; // null = this service keeps no files
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Told of a blob that could not be removed; upkeep tries again. */
  onError(error: unknown): void;
}
