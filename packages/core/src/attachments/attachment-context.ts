import type { BudgetContext } from "../budgets/budget-context.js";
import type { RunCommit } from "../commit/run-commit.js";
import type { Clock } from "../kernel/clock.js";
import type { IdSource } from "../kernel/ids.js";
import type { Problem } from "../kernel/problem.js";
import type { StorageQuota, StorageStore } from "../limits/storage-quota.js";
import type { UploadQuotaStore } from "../limits/upload-quota-store.js";
import type { AttachmentCondition, AttachmentWrite } from "./attachment-commits.js";
import type { AttachmentStore } from "./attachment-store.js";
import type { BlobStore } from "./blob-store.js";
import type { ReduceLogo } from "./logo-reduction.js";

export interface AttachmentContext {
  readonly store: AttachmentStore & UploadQuotaStore & StorageStore;
  readonly commit: RunCommit<AttachmentWrite, AttachmentCondition>;
  /** The most that each business may store. */
  readonly quota: StorageQuota;
  readonly budgets: BudgetContext;
  readonly blobs: BlobStore | null; // null = this service stores no files
  readonly reduceLogo: ReduceLogo;
  readonly drawsSvg: boolean; // true = `reduceLogo` takes an SVG, too
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Receives the error when a blob could not be removed. Maintenance retries the removal. */
  onError(error: unknown): void;
}

export const noBlobs: Problem = {
  kind: "not-implemented",
  message:
    "This service was set up without a place to keep files: its option `blobs`, or BUDGETKIT_ATTACHMENTS_DIR of the standalone server.",
};

/** Removes a blob that has no row. After a failure maintenance removes it. */
export async function removeBlob({ onError }: AttachmentContext, blobs: BlobStore, id: string): Promise<void> {
  try {
    await blobs.removeBlob(id);
  } catch (error) {
    onError(error);
  }
}
