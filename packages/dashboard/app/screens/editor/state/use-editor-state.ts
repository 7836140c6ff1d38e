import { useCallback, useMemo, useState } from "react";
import type { EditedBudget } from "../document/edited-budget.js";
import { closeStep, record, redo, undo } from "../document/history.js";
import type { EditorState } from "./editor-state.js";

type Edit = (budget: EditedBudget) => EditedBudget;

/** Changes the budget. `of` names what is typed into, so that a run of letters is one step of undo. */
export type Change = (edit: Edit, of?: string) => void;

export interface EditorStateValue {
  readonly state: EditorState;
  readonly change: Change;
  readonly undo: () => void;
  readonly redo: () => void;
  /** The field was left: what is typed next is another step. */
  readonly closeStep: () => void;
  readonly setState: (next: (state: EditorState) => EditorState) => void;
}

export function useEditorState(start: () => EditorState): EditorStateValue {
  const [state, setState] = useState(start);
  const change = useCallback<Change>((edit, of) => {
    setState((now) => ({ ...now, history: record(now.history, edit(now.history.present), of ?? null) }));
  }, []);
  const moves = useMemo(() => {
    const move = (step: typeof undo) => () => setState((now) => ({ ...now, history: step(now.history) }));
    return { undo: move(undo), redo: move(redo), closeStep: move(closeStep) };
  }, []);
  return { state, change, ...moves, setState };
}
