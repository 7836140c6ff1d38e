import { type Budget, BudgetkitError } from "@budgetkit/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { budgetQuery } from "../../../queries/budget.js";

/** Lists and figures of which any write to a budget may change a part. */
const CONCERNED = ["budgets", "figures", "sales", "events"];

/** Loads again what a write to the budget may have changed. */
export function useRefreshBudget(id: string): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    for (const key of CONCERNED) void queryClient.invalidateQueries({ queryKey: [key] });
    await queryClient.invalidateQueries({ queryKey: ["budget", id] });
  };
}

interface Write<Input, Answer> {
  readonly budgetId: string;
  readonly write: (input: Input) => Promise<Answer>;
  readonly onDone: (answer: Answer) => void;
}

/** A write to one budget. Its failure stays in the answer, for the dialog that asked for it. */
export function useBudgetWrite<Input, Answer>({ budgetId, write, onDone }: Write<Input, Answer>) {
  const refresh = useRefreshBudget(budgetId);
  return useMutation({
    mutationFn: write,
    onSuccess: (answer) => {
      void refresh();
      onDone(answer);
    },
  });
}

/** A write that answers the budget: it is shown at once. */
export function useBudgetChange<Input>({ budgetId, write, onDone }: Write<Input, Budget>) {
  const queryClient = useQueryClient();
  return useBudgetWrite<Input, Budget>({
    budgetId,
    write,
    onDone: (budget) => {
      if (budget.id === budgetId) queryClient.setQueryData(budgetQuery(budgetId).queryKey, budget);
      onDone(budget);
    },
  });
}

/** Another person changed it first. */
export function isConflict(error: Error | null): boolean {
  return error instanceof BudgetkitError && error.code === "PRECONDITION_FAILED";
}

/** The sentence of the service for one field of the form; null = it says nothing about that field. */
export function refusalOf(error: Error | null, field: string): string | null {
  if (!(error instanceof BudgetkitError)) return null;
  const named = error.fieldErrors.find((each) => each.field === field);
  if (named !== undefined) return named.message;
  return error.details.field === field ? error.message : null;
}
