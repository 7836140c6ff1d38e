import type { BudgetCondition } from "../budgets/budget-commits.js";
import { type Commit, commitOf } from "../commit/commit.js";
import type { Attachment } from "./attachment.js";

export type AttachmentWrite =
  /** A new attachment; or the replacement of one of the same size, `"missing"` when it is not there. */
  | { readonly kind: "attachment"; readonly attachment: Attachment; readonly expected: "absent" | "present" }
  /** `"missing"` when it is not there: of concurrent callers exactly one removes it. */
  | { readonly kind: "attachment-removal"; readonly budgetId: string; readonly id: string };

/** The budget has fewer attachments than `limit`; else `"attachment-limit"`. Concurrent callers never exceed it. */
export interface AttachmentsBelow {
  readonly kind: "attachments-below";
  readonly budgetId: string;
  readonly limit: number;
}

export type AttachmentCondition = AttachmentsBelow | BudgetCondition;
export type AttachmentCommit = Commit<AttachmentWrite, AttachmentCondition>;
type Beside = Partial<Omit<AttachmentCommit, "businessId" | "writes" | "conditions">>;

/**
 * The changes of attachments. Each requires the version of the budget that its events describe, and leaves the budget as
 * it is: a concurrent deletion of the budget either commits later or makes the change stale.
 */
export function insertAttachmentCommit(
  attachment: Attachment,
  budgetVersion: number,
  limit: number,
  beside: Beside = {},
): AttachmentCommit {
  const { businessId, budgetId } = attachment;
  const below = { kind: "attachments-below", budgetId, limit } as const;
  return {
    ...commitOf<AttachmentWrite, AttachmentCondition>(
      businessId,
      [{ kind: "attachment", attachment, expected: "absent" }],
      beside,
    ),
    conditions: [atVersion(budgetId, budgetVersion), below],
  };
}

export function replaceAttachmentCommit(
  attachment: Attachment,
  budgetVersion: number,
  beside: Beside = {},
): AttachmentCommit {
  const { businessId, budgetId } = attachment;
  return {
    ...commitOf<AttachmentWrite, AttachmentCondition>(
      businessId,
      [{ kind: "attachment", attachment, expected: "present" }],
      beside,
    ),
    conditions: [atVersion(budgetId, budgetVersion)],
  };
}

export function removeAttachmentCommit(
  { businessId, budgetId, id }: Pick<Attachment, "businessId" | "budgetId" | "id">,
  budgetVersion: number,
  beside: Beside = {},
): AttachmentCommit {
  return {
    ...commitOf<AttachmentWrite, AttachmentCondition>(
      businessId,
      [{ kind: "attachment-removal", budgetId, id }],
      beside,
    ),
    conditions: [atVersion(budgetId, budgetVersion)],
  };
}

function atVersion(budgetId: string, is: number): AttachmentCondition {
  return { kind: "budget-version", budgetId, is };
}
