import { addUse, NO_USE, type StorageUse } from "../limits/storage-quota.js";
import type { Refusal } from "./refusal.js";

/** What a write changes, found within its transaction, before anything is written. */
export interface Change {
  readonly added: Partial<StorageUse>; // rows and bytes that it adds; freed ones are negative
  apply(): void;
}

/** A change that adds nothing that counts for the quota. */
export function uncounted(apply: () => void): Change {
  return { added: {}, apply };
}

export function isRefusal(found: Change | Refusal): found is Refusal {
  return typeof found === "string" || "taken" in found;
}

/** The changes of all writes, or the first refusal: nothing was written then. */
export function inspectAll(inspections: readonly (() => Change | Refusal)[]): readonly Change[] | { by: Refusal } {
  const changes: Change[] = [];
  for (const inspect of inspections) {
    const found = inspect();
    if (isRefusal(found)) return { by: found };
    changes.push(found);
  }
  return changes;
}

/** What the changes add together. */
export function addedBy(changes: readonly Change[]): StorageUse {
  return changes.reduce((sum, { added }) => addUse(sum, added), NO_USE);
}
