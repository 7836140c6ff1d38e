import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { FileQuestion, RotateCcw, Trash2 } from "lucide-react";
import { Button, ButtonLink } from "../../components/button.js";
import { EmptyState } from "../../components/notices.js";
import { SkeletonRows } from "../../components/skeleton.js";
import { useToast } from "../../components/toast.js";
import { useFormats } from "../../formats/use-formats.js";
import { useMay } from "../../session/use-session.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import { Refusal } from "./actions/refusal.js";
import { useRefreshBudget } from "./actions/use-budget-write.js";
import { useActorName } from "./use-actor-name.js";

/** A budget that cannot be read: deleted, as its last event says, or unknown. */
export function MissingBudget({ budgetId }: { readonly budgetId: string }) {
  const { budget: words, common } = useWords();
  const formats = useFormats();
  const nameOf = useActorName();
  const toast = useToast();
  const mayWrite = useMay()("WRITE_BUDGETS");
  const queryClient = useQueryClient();
  const refresh = useRefreshBudget(budgetId);
  const { data: last, isPending } = useQuery({
    queryKey: ["budget", budgetId, "last-event"],
    queryFn: async ({ signal }) => {
      const { data } = await api.events.list({ subjectId: budgetId, limit: 1 }, { signal });
      return data[0] ?? null;
    },
  });
  const restore = useMutation({
    mutationFn: () => api.budgets.restore(budgetId),
    onSuccess: (budget) => {
      queryClient.setQueryData(["budget", budgetId], budget);
      void refresh();
      toast({ text: words.actions.done.restore });
    },
  });
  if (isPending) return <SkeletonRows rows={3} />;
  if (last?.event !== "budget.deleted") {
    return (
      <EmptyState
        icon={FileQuestion}
        title={words.missingTitle}
        text={words.missingText}
        action={<ButtonLink to="/budgets">{words.toBudgets}</ButtonLink>}
      />
    );
  }
  const number = typeof last.data.number === "string" ? last.data.number : budgetId;
  return (
    <EmptyState
      icon={Trash2}
      title={words.deletedTitle}
      text={words.deletedText(number, nameOf(last.actor), formats.dateTime(last.timestamp))}
      action={
        <>
          {mayWrite && (
            <Button kind="primary" icon={RotateCcw} busy={restore.isPending} onClick={() => restore.mutate()}>
              {common.restore}
            </Button>
          )}
          <Refusal error={restore.error} />
        </>
      }
    />
  );
}
