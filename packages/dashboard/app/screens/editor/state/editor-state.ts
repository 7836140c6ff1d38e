import type { Budget } from "@budgetkit/client";
import type { EditedBudget } from "../document/edited-budget.js";
import { editedBudgetOf } from "../document/from-budget.js";
import { type History, historyOf } from "../document/history.js";
import { writtenLines } from "../document/line-operations.js";
import { differencesOf } from "../merge/differences.js";
import { merge } from "../merge/merge.js";

/** The budget as the service has it. */
export interface Saved {
  readonly id: string | null; // null = not created yet
  readonly version: number;
  readonly budget: EditedBudget;
  /** The ids of lines that were made in this session, by their keys. */
  readonly ids: Readonly<Record<string, string>>;
  readonly savedAt: string | null;
  readonly source: Budget | null;
}

export interface EditorState {
  readonly history: History<EditedBudget>;
  readonly saved: Saved;
}

export function newState(blank: EditedBudget): EditorState {
  return {
    history: historyOf(blank),
    saved: { id: null, version: 0, budget: blank, ids: {}, savedAt: null, source: null },
  };
}

export function stateOf(budget: Budget, timeZone: string): EditorState {
  const edited = editedBudgetOf(budget, timeZone);
  return { history: historyOf(edited), saved: { ...sourceOf(budget), budget: edited, ids: {} } };
}

/** Another state of the budget, as the service answered it, with the keys that its lines have here. */
export function savedOf(budget: Budget, timeZone: string, ids: Saved["ids"]): Saved {
  const keys = new Map(Object.entries(ids).map(([key, id]) => [id, key]));
  const edited = editedBudgetOf(budget, timeZone, (id) => keys.get(id) ?? id);
  return { ...sourceOf(budget), budget: edited, ids };
}

/** What was sent is saved. What was written since is kept, on top of what the service made of it. */
export function afterSaving(state: EditorState, sent: EditedBudget, answer: Budget, timeZone: string): EditorState {
  const written = writtenLines(sent);
  const made = written.flatMap(({ key }, index) => {
    const id = answer.items[index]?.id;
    return id === undefined || id === key ? [] : [[key, id] as const];
  });
  const saved = savedOf(answer, timeZone, { ...state.saved.ids, ...Object.fromEntries(made) });
  const { history } = state;
  const { budget } = merge({ base: { ...sent, lines: written }, mine: history.present, theirs: saved.budget });
  return { history: { ...history, present: budget }, saved };
}

/** Whether there is work that is not saved. */
export function isDirty({ history, saved }: EditorState): boolean {
  return differencesOf(saved.budget, history.present).length > 0;
}

function sourceOf(budget: Budget): Pick<Saved, "id" | "version" | "savedAt" | "source"> {
  return { id: budget.id, version: budget.version, savedAt: budget.updatedAt, source: budget };
}
