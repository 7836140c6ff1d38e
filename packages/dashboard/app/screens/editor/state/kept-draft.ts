import type { EditedBudget } from "../document/edited-budget.js";
import type { EditorState, Saved } from "./editor-state.js";

/** Unsaved work in the storage of the tab: it survives a crash, a reload and an ended session. */
export interface KeptDraft {
  readonly keptAt: string;
  readonly budget: EditedBudget;
  readonly saved: Saved;
}

type Storage = Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem">;

const FORM = "budgetkit draft 1"; // grows when the form of what is kept changes

/** The next person in this tab is not offered it. */
export interface DraftOwner {
  readonly businessId: string;
  readonly userId: string;
}

export function draftKey({ businessId, userId }: DraftOwner, budgetId: string | null): string {
  return `${FORM} ${businessId} ${userId} ${budgetId ?? "new"}`;
}

/** A full or forbidden storage keeps nothing: the work goes on. */
export function keepDraft(storage: Storage, key: string, { history, saved }: EditorState, now: Date): void {
  const draft: KeptDraft = { keptAt: now.toISOString(), budget: history.present, saved };
  try {
    storage.setItem(key, JSON.stringify(draft));
  } catch {
    storage.removeItem(key);
  }
}

export function dropDraft(storage: Storage, key: string): void {
  storage.removeItem(key);
}

/** Null = nothing is kept, or something that this version did not write. */
export function findDraft(storage: Storage, key: string): KeptDraft | null {
  const text = storage.getItem(key);
  if (text === null) return null;
  try {
    const draft: unknown = JSON.parse(text);
    return isDraft(draft) ? draft : null;
  } catch {
    return null;
  }
}

function isDraft(value: unknown): value is KeptDraft {
  if (typeof value !== "object" || value === null) return false;
  if (!("keptAt" in value && "budget" in value && "saved" in value)) return false;
  const { keptAt, budget, saved } = value;
  return (
    typeof keptAt === "string" &&
    isBudget(budget) &&
    typeof saved === "object" &&
    saved !== null &&
    "budget" in saved &&
    isBudget(saved.budget)
  );
}

function isBudget(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && "head" in value && "lines" in value && Array.isArray(value.lines)
  );
}
