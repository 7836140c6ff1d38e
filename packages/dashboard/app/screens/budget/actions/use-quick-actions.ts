import type { Budget } from "@budgetkit/client";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { messageOf } from "../../../components/notices.js";
import { useToast } from "../../../components/toast.js";
import { api } from "../../../start/api.js";
import { useWords } from "../../../words/use-words.js";
import { isConflict, useRefreshBudget } from "./use-budget-write.js";

export type QuickAction = "submit" | "duplicate" | "delete" | "restore";

/** Acts without a dialog: each can be taken back, or makes something new. */
export function useQuickActions(budget: Budget, onConflict: () => void) {
  const { common, budget: all } = useWords();
  const words = all.actions;
  const toast = useToast();
  const navigate = useNavigate();
  const refresh = useRefreshBudget(budget.id);
  const { id, version } = budget;

  const act = useMutation({
    mutationFn: async (action: QuickAction) => {
      switch (action) {
        case "submit": {
          const submitted = await api.budgets.submit(id, { ifMatch: version });
          return () => api.budgets.withdraw(id, { ifMatch: submitted.version });
        }
        case "duplicate": {
          const copy = await api.budgets.duplicate(id);
          void navigate({ to: "/budgets/$budgetId", params: { budgetId: copy.id }, search: {} });
          return null;
        }
        case "delete":
          await api.budgets.delete(id, { ifMatch: version });
          return () => api.budgets.restore(id);
        case "restore":
          await api.budgets.restore(id);
          return null;
      }
    },
    onSuccess: (takeBack, action) => {
      void refresh();
      const text = words.done[action];
      toast(takeBack === null ? { text } : { text, undo: () => undo.mutate(takeBack) });
    },
    onError: (error) => {
      if (isConflict(error)) onConflict();
      else toast({ text: `${words.failed}: ${messageOf(error, common)}`, isError: true });
    },
  });
  const undo = useMutation({
    mutationFn: (takeBack: () => Promise<unknown>) => takeBack(),
    onSettled: () => void refresh(),
    onError: (error) => toast({ text: `${words.failed}: ${messageOf(error, common)}`, isError: true }),
  });
  return { run: act.mutate, isBusy: act.isPending || undo.isPending };
}
