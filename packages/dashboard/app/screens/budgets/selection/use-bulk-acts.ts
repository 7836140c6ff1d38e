import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../components/notices.js";
import { useToast } from "../../../components/toast.js";
import { api } from "../../../start/api.js";
import { useWords } from "../../../words/use-words.js";
import type { BudgetSummary } from "../list/budget-summary.js";
import { type BudgetOutcome, runChunks, runEach } from "./bulk-run.js";
import { type Selection, without } from "./selection.js";

export interface BulkResults {
  readonly title: string;
  readonly budgets: Selection;
  readonly outcomes: readonly BudgetOutcome[];
}

interface Act {
  readonly budgets: Selection;
  readonly run: (ids: readonly string[]) => Promise<readonly BudgetOutcome[]>;
  readonly title: string;
  readonly doneText: (count: number) => string;
  /** Takes back what was done. */
  readonly undo?: (ids: readonly string[]) => void;
  readonly onDone?: () => void;
}

/** Acts on all that is selected. What is refused is shown budget by budget, and stays selected. */
export function useBulkActs(selection: Selection, onSelection: (change: (selection: Selection) => Selection) => void) {
  const words = useWords();
  const texts = words.budgets.bulk;
  const toast = useToast();
  const queryClient = useQueryClient();
  const [results, setResults] = useState<BulkResults | null>(null);
  const reasonOf = (error: unknown) => (error instanceof Error ? messageOf(error, words.common) : String(error));

  const { mutate, isPending } = useMutation({
    mutationFn: ({ budgets, run }: Act) => run([...budgets.keys()]),
    onSuccess: (outcomes, { budgets, title, doneText, undo, onDone }) => {
      const done = outcomes.filter(({ refusal }) => refusal === null).map(({ budgetId }) => budgetId);
      if (done.length > 0) toast({ text: doneText(done.length), ...(undo ? { undo: () => undo(done) } : {}) });
      if (done.length < outcomes.length) setResults({ title, budgets, outcomes });
      onSelection((selected) => without(selected, done));
      onDone?.();
      for (const key of ["budgets", "budget", "figures", "sales", "events"]) {
        void queryClient.invalidateQueries({ queryKey: [key] });
      }
    },
  });

  /** A budget that was changed since it was listed stays: what the person saw of it is no longer so. */
  const versionOf = (id: string) => ({ ifMatch: selection.get(id)?.version });

  const restore = (budgets: Selection) => (ids: readonly string[]) =>
    mutate({
      budgets: new Map(ids.flatMap((id): [string, BudgetSummary][] => pick(budgets, id))),
      run: (restored) => runEach(restored, (id) => api.budgets.restore(id), reasonOf),
      title: words.common.restore,
      doneText: texts.restored,
    });

  return {
    isBusy: isPending,
    results,
    closeResults: () => setResults(null),
    remind: (message: string | null, onDone: () => void) =>
      mutate({
        budgets: selection,
        run: (ids) =>
          runChunks(ids, async (budgetIds) => outcomesOf(await api.budgets.remind({ budgetIds, message })), reasonOf),
        title: texts.remind,
        doneText: texts.reminded,
        onDone,
      }),
    extend: (validUntil: string, onDone: () => void) =>
      mutate({
        budgets: selection,
        run: (ids) =>
          runChunks(
            ids,
            async (budgetIds) => outcomesOf(await api.budgets.extend({ budgetIds, validUntil })),
            reasonOf,
          ),
        title: texts.extend,
        doneText: texts.extended,
        onDone,
      }),
    remove: () =>
      mutate({
        budgets: selection,
        run: (ids) => runEach(ids, (id) => api.budgets.delete(id, versionOf(id)), reasonOf),
        title: words.common.delete,
        doneText: texts.deleted,
        undo: restore(selection),
      }),
  };
}

function pick(budgets: Selection, id: string): [string, BudgetSummary][] {
  const budget = budgets.get(id);
  return budget === undefined ? [] : [[id, budget]];
}

interface Answer {
  readonly results: readonly {
    readonly budgetId: string;
    readonly status: string;
    readonly message?: string;
    readonly code?: string;
  }[];
}

function outcomesOf({ results }: Answer): readonly BudgetOutcome[] {
  return results.map(({ budgetId, status, message, code }) => ({
    budgetId,
    refusal: status === "done" ? null : (message ?? code ?? status),
  }));
}
