import { type Budget, BudgetkitError } from "@budgetkit/client";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api } from "../../../start/api.js";
import type { EditedBudget } from "../document/edited-budget.js";
import type { FieldProblem } from "../document/problems.js";
import { problemOfRefusal } from "../document/service-problems.js";
import { afterSaving, type EditorState, isDirty, type Saved, savedOf } from "./editor-state.js";
import {
  createBudget,
  isConflict,
  isUncertain,
  newIdempotencyKey,
  type PendingCreation,
  updateBudget,
} from "./saving.js";
import type { EditorStateValue } from "./use-editor-state.js";

/** Another person saved the budget since it was loaded. */
interface SaveConflict {
  readonly theirs: Saved;
  readonly answer: Budget;
}

export interface Saving {
  readonly isSaving: boolean;
  readonly error: Error | null;
  /** What the service refused, at the fields. They stand until the next try. */
  readonly refused: readonly FieldProblem[];
  readonly conflict: SaveConflict | null;
  /** The saved budget; null = it was not saved. */
  readonly save: () => Promise<Budget | null>;
  /** Saves what came of a conflict, on top of the other version. */
  readonly saveMerged: (merged: EditedBudget) => Promise<Budget | null>;
  readonly saveAsCopy: () => Promise<Budget | null>;
  readonly takeTheirs: () => void;
  readonly closeConflict: () => void;
}

/** Saves, one call at a time, and keeps everything where that fails. */
export function useSaving({ state, setState }: EditorStateValue, timeZone: string): Saving {
  const queryClient = useQueryClient();
  const pending = useRef<PendingCreation | null>(null);
  const isRunning = useRef(false);
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const [refused, setRefused] = useState<readonly FieldProblem[]>([]);
  const [conflict, setConflict] = useState<SaveConflict | null>(null);

  const settle = (now: EditorState, sent: EditedBudget, answer: Budget): EditorState => {
    queryClient.setQueryData(["budget", answer.id], answer);
    void queryClient.invalidateQueries({ queryKey: ["budgets"] });
    void queryClient.invalidateQueries({ queryKey: ["figures"] });
    void queryClient.invalidateQueries({ queryKey: ["customers"] });
    const next = afterSaving(now, sent, answer, timeZone);
    setState((latest) => afterSaving(latest, sent, answer, timeZone));
    return next;
  };

  const create = async (now: EditorState): Promise<EditorState> => {
    pending.current ??= { idempotencyKey: newIdempotencyKey(), sent: now.history.present };
    try {
      const { answer, sent } = await createBudget(pending.current);
      pending.current = null;
      return settle(now, sent, answer);
    } catch (failure) {
      if (!isUncertain(failure)) pending.current = null;
      throw failure;
    }
  };

  const update = async (now: EditorState): Promise<EditorState> => {
    const { answer, sent } = await updateBudget(now.history.present, now.saved);
    return settle(now, sent, answer);
  };

  const run = async (now: EditorState, steps: (now: EditorState) => Promise<EditorState>): Promise<Budget | null> => {
    if (isRunning.current) return null;
    isRunning.current = true;
    setSaving(true);
    setError(null);
    setRefused([]);
    try {
      const { saved } = await steps(now);
      setConflict(null);
      return saved.source;
    } catch (failure) {
      if (isConflict(failure)) await meetConflict(now);
      else fail(failure, now.history.present);
      return null;
    } finally {
      isRunning.current = false;
      setSaving(false);
    }
  };

  const meetConflict = async ({ saved }: EditorState) => {
    try {
      const answer = await api.budgets.get(saved.id ?? "");
      setConflict({ answer, theirs: savedOf(answer, timeZone, saved.ids) });
    } catch (failure) {
      fail(failure, saved.budget);
    }
  };

  const fail = (failure: unknown, sent: EditedBudget) => {
    if (!(failure instanceof Error)) throw failure;
    setError(failure);
    if (failure instanceof BudgetkitError) setRefused(refusalsOf(failure, sent));
  };

  return {
    isSaving,
    error,
    refused,
    conflict,
    save: () =>
      run(state, async (now) => {
        const made = now.saved.id === null ? await create(now) : now;
        return isDirty(made) ? update(made) : made;
      }),
    saveMerged: (merged) => {
      if (conflict === null) return Promise.resolve(null);
      const { history } = state;
      const next = {
        saved: conflict.theirs,
        history: { ...history, past: [...history.past, history.present], present: merged, open: null },
      };
      setState(() => next);
      return run(next, update);
    },
    saveAsCopy: () => {
      const { history, saved } = state;
      return run({ history, saved: { ...saved, id: null, ids: {} } }, create);
    },
    takeTheirs: () => {
      if (conflict === null) return;
      const { theirs } = conflict;
      setState(({ history }) => ({
        saved: theirs,
        history: { past: [...history.past, history.present], present: theirs.budget, future: [], open: null },
      }));
      setConflict(null);
    },
    closeConflict: () => setConflict(null),
  };
}

/** A rule names its field in its details, a form of the body each field. */
function refusalsOf({ fieldErrors, rule, details, message }: BudgetkitError, sent: EditedBudget): FieldProblem[] {
  if (fieldErrors.length > 0) return fieldErrors.map((each) => problemOfRefusal(sent, each));
  if (rule === null) return [];
  const { field } = details;
  return [problemOfRefusal(sent, { field: typeof field === "string" ? field : "", code: rule, message })];
}
