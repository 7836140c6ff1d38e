import type { Budget } from "@budgetkit/client";
import { useQuery } from "@tanstack/react-query";
import { Button } from "../../../components/button.js";
import { Dialog } from "../../../components/dialog.js";
import { SkeletonRows } from "../../../components/skeleton.js";
import { shownStateOf } from "../../../components/state-glyph.js";
import { useFormats } from "../../../formats/use-formats.js";
import { api } from "../../../start/api.js";
import { useWords } from "../../../words/use-words.js";
import { useActorName } from "../use-actor-name.js";
import { useRefreshBudget } from "./use-budget-write.js";

interface Props {
  /** As it was shown. */
  readonly budget: Budget;
  readonly onClose: () => void;
}

/** After a 412: who changed the budget meanwhile, what became of it, and that nothing was written. */
export function ConflictDialog({ budget, onClose }: Props) {
  const { budget: words, common } = useWords();
  const formats = useFormats();
  const nameOf = useActorName();
  const refresh = useRefreshBudget(budget.id);
  const { data } = useQuery({
    queryKey: ["budget", budget.id, "conflict", budget.version],
    queryFn: async ({ signal }) => {
      const [present, { data: events }] = await Promise.all([
        api.budgets.get(budget.id, { signal }),
        api.events.list({ subjectId: budget.id, limit: 1 }, { signal }),
      ]);
      return { present, last: events[0] ?? null };
    },
  });
  const show = () => {
    void refresh();
    onClose();
  };
  const from = shownStateOf(budget);
  const to = data === undefined ? null : shownStateOf(data.present);
  return (
    <Dialog
      title={words.conflictTitle}
      onClose={show}
      actions={
        <Button kind="primary" onClick={show}>
          {words.understood}
        </Button>
      }
    >
      {data === undefined ? (
        <SkeletonRows rows={2} />
      ) : (
        <div>
          {data.last !== null && (
            <p>
              {words.conflictText(nameOf(data.last.actor), formats.dateTime(data.last.timestamp), data.present.version)}
            </p>
          )}
          {to !== null && from !== to && <p>{words.conflictState(common.states[from], common.states[to])}</p>}
        </div>
      )}
      <p>{words.conflictKept}</p>
    </Dialog>
  );
}
